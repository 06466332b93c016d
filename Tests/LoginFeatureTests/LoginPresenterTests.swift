import AccountCore
import AppUI
import Testing

@testable import LoginFeature

@Suite("The login's presenter")
@MainActor
struct LoginPresenterTests {
    private let input = LoginPresenter.Input()
    private let output: LoginPresenter.Output

    init() {
        output = LoginPresenter().transform(input)
    }

    @Test(
        "Z3: id and password have 6 to 12 characters without spaces",
        arguments: [
            ("", FieldValidity.empty), ("12345", .invalid), ("123456", .valid), ("123456789012", .valid),
            ("1234567890123", .invalid), ("123 456", .invalid), (" 12345", .invalid), ("가나다라마바", .valid),
        ]
    )
    func boundaries(text: String, validity: FieldValidity) {
        input.id.value = text
        input.password.value = text
        #expect(output.idValidity.value == validity && output.passwordValidity.value == validity)
        #expect(output.isEnabled.value == (validity == .valid))
    }

    @Test("Z5: the button is enabled only while both fields are valid")
    func enabled() {
        var states: [Bool] = []
        output.isEnabled.bind { states.append($0) }
        input.id.value = "maxdog"
        input.password.value = "secret"
        input.password.value = "short"
        #expect(states == [false, true, false])
    }

    @Test("Z13: clearing the text makes the form invalid again")
    func cleared() {
        input.id.value = "maxdog"
        input.password.value = "secret"
        #expect(output.isEnabled.value)
        input.id.value = ""
        input.password.value = ""
        #expect(!output.isEnabled.value)
        #expect(output.idValidity.value == .empty)
    }

    @Test("S5, S7: a tap leads to the transition only while both fields are valid, with what was typed")
    func taps() {
        var submitted: [Credentials] = []
        output.submission.bind { submitted.append($0) }
        input.tap.send(())
        input.id.value = "maxdog"
        input.password.value = "secret"
        input.tap.send(())
        #expect(submitted == [Credentials(id: "maxdog", password: "secret")])
    }

    @Test("S6, Z12: the validity is computed once for all observers, and a later one receives the last value at once")
    func replays() async {
        var computed = 0
        let source = StateCell("")
        let validity = source.map {
            computed += 1
            return $0.count >= 6
        }
        var first: [Bool] = []
        var second: [Bool] = []
        validity.bind { first.append($0) }
        source.value = "maxdog"
        validity.bind { second.append($0) }
        #expect(first == [false, true] && second == [true])
        #expect(computed == 3, "once at the start, once for the observer's source, once for the change")
        var stream = validity.values.makeAsyncIterator()
        #expect(await stream.next() == true)
        source.value = ""
        #expect(await stream.next() == false)
    }

    @Test("What was typed is released with the input and the output")
    func released() {
        weak var password: StateCell<String>?
        weak var isEnabled: StateCell<Bool>?
        do {
            let input = LoginPresenter.Input()
            let output = LoginPresenter().transform(input)
            output.submission.bind { _ in }
            input.password.value = "secret"
            input.tap.send(())
            (password, isEnabled) = (input.password, output.isEnabled)
        }
        #expect(password == nil && isEnabled == nil)
    }
}
