import AppLanguage
import AppTestSupport
import AppUI
import RIBs
import TerminalTesting
import TerminalUI
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The editor's fields on a screen")
@MainActor
struct TodoEditorScreenTests {
    /// Records what the screen reports.
    @MainActor
    final class Listener: TodoEditorPresentableListener {
        var changed: [TodoForm] = []
        var saved: [TodoForm] = []
        var events: [String] = []

        func didChange(_ form: TodoForm) { changed.append(form) }
        func didChooseSave(_ form: TodoForm) { saved.append(form) }
        func didChooseCancel() { events.append("cancel") }
        func didConfirmDiscard() { events.append("discard") }
        func didConfirmOverwrite() { events.append("overwrite") }
    }

    private static let fields: [(name: String, path: WritableKeyPath<TodoForm, String>)] = [
        ("Title", \.title), ("Priority", \.priority), ("Due", \.due), ("Project", \.project), ("Contexts", \.contexts),
        ("Tags", \.tags), ("Repeats", \.recurrence), ("Hidden until", \.threshold), ("Part of", \.parent),
        ("Waits for", \.after), ("Note", \.note),
    ]

    @Test("Each field shows its value, also of a second form, and what is typed into it changes that value alone")
    func values() async throws {
        let listener = Listener()
        let controller = TodoEditorViewController(appearance: .dog(), keyMap: .standard)
        controller.listener = listener
        let app = TestApplication(root: controller, size: GridSize(width: 80, height: 30))
        for sign in ["1", "2"] {
            var form = TodoForm()
            for (name, path) in Self.fields { form[keyPath: path] = name.prefix(3) + sign }
            controller.show(form)
            await app.settle()
            for (name, path) in Self.fields {
                let line = try #require(app.screen.find(name + " ")).y
                #expect(app.screen.line(line).contains("  \(form[keyPath: path])"))
            }
            #expect(await app.click(on: form.title))
            for (_, path) in Self.fields {
                await app.press(.end)
                await app.type("+")
                form[keyPath: path] += "+"
                #expect(listener.changed.last == form)
                await app.press(.tab)
            }
            await app.press(.enter)
            #expect(listener.saved.last == form)
        }
        #expect(listener.changed.count == 2 * Self.fields.count && listener.saved.count == 2)
        await app.press(.escape)
        controller.confirmDiscard()
        await app.settle()
        await app.press(.escape)
        #expect(listener.events == ["cancel"])
        controller.confirmDiscard()
        await app.settle()
        await app.press(.tab, .enter)
        controller.confirmOverwrite(LocalizedText(verbatim: "changed"))
        await app.settle()
        #expect(await app.click(on: "Save mine"))
        #expect(listener.events == ["cancel", "discard", "overwrite"])
    }
}
