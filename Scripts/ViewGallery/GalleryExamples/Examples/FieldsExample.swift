import TerminalUI

extension GalleryExample {
    /// A login form: validation, a secure field, a limit that is shown, and a button that waits for valid input.
    static let fields = GalleryExample("fields", "Login form") {
        let id = TextField(placeholder: "6 to 12 characters")
        id.accessibilityLabel = "ID 아이디"
        id.maximumLength = 12
        let password = TextField(placeholder: "no spaces")
        password.accessibilityLabel = "Password 비밀번호"
        password.isSecure = true
        password.maximumLength = 12
        let message = Label("로그인하면 어디서나 할 일을 볼 수 있습니다 👨‍👩‍👧.", role: .secondary, numberOfLines: 0)
        let login = Button("Log in", kind: .primary) { message.text = "Logged in as \(id.text)." }
        login.isEnabled = false
        let validate: (String) -> Void = { _ in
            for field in [id, password] {
                let isValid = (6...12).contains(field.text.count) && !field.text.contains(" ")
                field.validity = field.text.isEmpty ? .neutral : isValid ? .valid : .invalid
            }
            login.isEnabled = id.validity == .valid && password.validity == .valid
        }
        id.onChange = validate
        password.onChange = validate
        return GalleryStack([
            Label("Welcome 안녕하세요", role: .title), message, Label("ID 아이디"), id, Label("Password 비밀번호"), password,
            Checkbox("Log in automatically from now on"), login, Button("Continue as a guest"),
        ])
    }
}
