import AccountCore
import Testing

@testable import LoginFeature

@Suite("The login's presenter")
struct LoginPresenterTests {
    @Test(
        "Id and password have 6 to 12 characters without spaces",
        arguments: [
            ("", FieldValidity.empty), ("12345", .invalid), ("123456", .valid), ("123456789012", .valid),
            ("1234567890123", .invalid), ("123 456", .invalid), (" 12345", .invalid), ("가나다라마바", .valid),
        ]
    )
    func boundaries(text: String, validity: FieldValidity) {
        let output = LoginPresenter.transform(LoginPresenter.Input(id: text, password: text))
        #expect(output.idValidity == validity && output.passwordValidity == validity)
        #expect(output.isEnabled == (validity == .valid))
        #expect(output.invalidField == (validity == .invalid ? .id : nil))
    }

    @Test("The button is enabled only while both fields are valid, and not after they were cleared")
    func enabled() {
        let typed = [("", ""), ("maxdog", ""), ("maxdog", "secret"), ("maxdog", "short"), ("", "secret"), ("", "")]
        let states = typed.map { LoginPresenter.transform(LoginPresenter.Input(id: $0, password: $1)).isEnabled }
        #expect(states == [false, false, true, false, false, false])
    }
}
