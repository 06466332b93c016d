import NeedleKit
import TerminalUI
import Testing

/// The first example of the landing page, word for word.
final class GreetingViewController: ViewController {
    private let field = TextField(placeholder: "이름")
    private let greeting = Label()

    override func viewDidLoad() {
        view.addSubview(field)
        view.addSubview(greeting)
        field.onChange = { [greeting] in greeting.text = "안녕하세요, \($0)!" }
        field.ndl.makeConstraints { make in
            make.top.equalTo(view).offset(1)
            make.left.equalTo(view).offset(2)
            make.width.equalTo(24)
        }
        greeting.ndl.makeConstraints { make in
            make.top.equalTo(field.ndl.bottom).offset(1)
            make.left.equalTo(field)
        }
    }
}

@Suite("The landing page")
@MainActor
struct LandingPageTests {
    @Test("Its first example greets")
    func greeting() async {
        let app = TestApplication(root: GreetingViewController())
        await app.type("보리")
        #expect(app.text.contains("안녕하세요, 보리!"))
        #expect(app.caret == Point(x: 7, y: 1))
    }
}
