import NeedleKit
import TerminalUI

/// A login form that is centred in a large window and scrolls in a small one.
final class LoginDemo: ViewController {
    private let scroll = ScrollView()
    private let form = View()
    private let id = TextField(placeholder: "6 to 12 characters")
    private let password = TextField(placeholder: "no spaces")
    private let login = Button("Log in", kind: .primary)

    override func viewDidLoad() {
        view.addSubview(scroll)
        scroll.ndl.makeConstraints { $0.edges.equalTo(view) }
        scroll.contentView.addSubview(form)
        form.ndl.makeConstraints { make in
            make.centerX.equalTo(scroll.contentView)
            make.centerY.equalTo(scroll.contentView)
            make.width.lessThanOrEqualTo(scroll.contentView).offset(-4)
            make.width.equalTo(44).priority(700)
            make.top.greaterThanOrEqualTo(scroll.contentView).offset(1)
            make.bottom.lessThanOrEqualTo(scroll.contentView).offset(-1)
        }
        password.isSecure = true
        id.onChange = { [weak self] _ in self?.validate() }
        password.onChange = { [weak self] _ in self?.validate() }
        login.isEnabled = false
        login.onTap = { [weak self] in self?.navigationController?.push(ListDemo()) }
        let guest = Button("Go on as a guest") { [weak self] in self?.navigationController?.push(ListDemo()) }
        let google = Button("Sign in with Google")
        google.icon = "G"
        google.colors = Style(foreground: .hex(0x202124), background: .hex(0xFFFFFF))
        let rows: [(View, Double)] = [
            (Label("안녕하세요", role: .title), 0),
            (
                Label(
                    "Log in to keep your todos on every machine. 로그인하면 어디서나 할 일을 볼 수 있습니다.",
                    role: .secondary,
                    numberOfLines: 0
                ), 1
            ),
            (Label("ID 아이디"), 1), (id, 0), (Label("Password 비밀번호"), 1), (password, 0),
            (Checkbox("Log me in from now on"), 1), (login, 1), (guest, 1), (google, 1),
        ]
        var above: View?
        for (view, gap) in rows {
            form.addSubview(view)
            view.ndl.makeConstraints { make in
                make.left.equalTo(form)
                make.right.equalTo(form)
                if let above { make.top.equalTo(above.ndl.bottom).offset(gap) } else { make.top.equalTo(form) }
            }
            above = view
        }
        if let above { above.ndl.makeConstraints { $0.bottom.equalTo(form) } }
    }

    private func validate() {
        for field in [id, password] {
            let isRight = (6...12).contains(field.text.count) && !field.text.contains(" ")
            field.validity = field.text.isEmpty ? .neutral : isRight ? .valid : .invalid
        }
        login.isEnabled = id.validity == .valid && password.validity == .valid
    }
}
