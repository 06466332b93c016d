import Foundation
import NeedleKit
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

/// The first example of the documentation.
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

@Suite("Documentation of TerminalUI")
@MainActor
struct DocumentationTests {
    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "TerminalUI", count: 9).missing == [])
    }

    @Test("The first example greets")
    func greeting() async {
        let app = TestApplication(root: GreetingViewController())
        await app.type("보리")
        #expect(app.text.contains("안녕하세요, 보리!"))
        #expect(app.caret == GridPoint(x: 7, y: 1))
    }

    /// Compiled only: a test has no terminal.
    private func runOnTerminal() async throws {
        let application = Application(terminal: Terminal(), rootViewController: GreetingViewController())
        exit(try await application.run())
    }

    @Test("The example saves before the application ends")
    func saving() async throws {
        @MainActor
        final class Store {
            var hasUnsavedChanges = true
            var saves = 0
            func save() async { saves += 1 }
        }
        let store = Store()
        let status = Label()
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }
        let application = Application(terminal: MemoryTerminal(), rootViewController: Stack([status]))
        Task {
            while !application.isRunning { await Task.yield() }
            application.quit(3)
        }
        application.onWillEnd = { reason in
            status.text = "Saving…"
            await store.save()
        }
        let code = try await application.run()
        if store.hasUnsavedChanges { print("These changes could not be saved: …") }
        #expect(code == 3 && store.saves == 1 && status.text == "Saving…")
        #expect(printed.count == 1)
    }
}
