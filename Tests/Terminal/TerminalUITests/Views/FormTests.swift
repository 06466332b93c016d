import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Forms")
@MainActor
struct FormTests {
    /// What a screen shows and changes.
    private final class State {
        var text = "one"
        var problem = ""
        var typed = ""
        var taps = 0
    }

    private func show(_ screen: Form, width: Int = 30, height: Int = 8) async -> TestApplication {
        final class Holder: ViewController {
            let screen: Form
            init(_ screen: Form) { self.screen = screen }
            override func loadView() -> View { screen }
        }
        return await launch(Holder(screen), width: width, height: height)
    }

    @Test("Elements are placed one below the other, with the spacing and the margins")
    func stacks() async {
        let app = await show(
            Form(margin: 2, spacing: 1) {
                Text("A title", role: .title)
                VStack {
                    Text("first")
                    Text("둘째")
                }
                VStack {}
                HStack {}
                HStack(spacing: 3) {
                    Text("left")
                    Text("right")
                }
            }
        )
        #expect(app.text == "  A title\n\n  first\n  둘째\n\n  left   right")
        #expect(app.application.window.layoutDiagnostics == [])
    }

    @Test("The elements of all rows begin below one another, behind the longest name")
    func longNames() async throws {
        let app = await show(
            Form(margin: 0) {
                Row("Due") { Text("soon") }
                VStack { Row("Hidden until") { Text("later") } }
                Row("Note") { Field("text", limit: 9, text: Binding(get: { "" }, set: { _ in })) }
            }
        )
        #expect(app.text == "Due          soon\nHidden until later\nNote          text")
    }

    @Test("A row is as high as its element, and the name is at its top")
    func highRow() async {
        struct Note: FormElement {
            func makeView(in form: Form) -> View {
                let view = TextView(placeholder: "note")
                view.ndl.makeConstraints { $0.height.equalTo(3) }
                return view
            }
        }
        let app = await show(
            Form(margin: 0) {
                Row("Note") { Note() }
                Row("Files") { Text(lines: 0) { "a text of two lines in this room" } }
                Text("below")
            }
        )
        // Names have at least ten columns.
        let files = "Files     a text of two lines\n          in this room"
        #expect(app.text == "Note       note\n\n\n\(files)\nbelow")
    }

    @Test("An entry of a menu begins at the left and has its key at the right; it is marked also without colours")
    func items() async throws {
        let state = State()
        let form = Form(margin: 0) {
            Action("First", kind: .item, detail: "f") { state.taps += 1 }
            Action("둘째", kind: .item, detail: "two") { state.taps += 10 }
        }
        let app = await show(form, width: 16)
        #expect(app.text == " First        f\n 둘째       two")
        await app.press(.down, .enter)
        #expect(state.taps == 10)
        #expect(app.screen[0, 1].style.background == form.theme.selection.background)
        #expect(app.screen[0, 0].style.background == .standard)
        app.application.window.colorDepth = .none
        await app.resize(GridSize(width: 9, height: 4))
        #expect(app.text.hasPrefix(" First f\n>둘째"), "\(app.text)")
    }

    @Test("A row begins with its name, and its element fills the rest", arguments: [20, 30, 60])
    func rows(width: Int) async throws {
        let screen = Form {
            Row("Name") {
                Field(
                    "any",
                    limit: 9,
                    text: Binding {
                        ""
                    } set: { _ in
                    }
                )
            }
            Row("Notes") { Text(lines: 0) { "a few words that do not fit on one line of twenty cells" } }
        }
        let app = await show(screen, width: width)
        #expect(app.screen.find("any") == GridPoint(x: 13, y: 0))
        #expect(app.screen.find("Notes") == GridPoint(x: 2, y: 1))
        #expect(app.screen.find("a few") == GridPoint(x: 12, y: 1))
        // The field's ground reaches to the margin, and no further.
        let field = app.screen[12, 0].style.background
        #expect(field != .standard)
        #expect(app.screen[width - 3, 0].style.background == field)
        #expect(app.screen[width - 2, 0].style.background == .standard)
    }

    @Test("Conditions and loops choose elements")
    func builder() async {
        func screen(_ wide: Bool) -> Form {
            Form {
                if wide { Text("wide") } else { Text("narrow") }
                for name in ["a", "b"] { Text(name) }
                if wide { Text("more") }
            }
        }
        #expect(await show(screen(true)).text == "  wide\n  a\n  b\n  more")
        #expect(await show(screen(false)).text == "  narrow\n  a\n  b")
    }

    @Test("The focus goes to the first element that is shown")
    func focusFirst() async throws {
        let screen = Form(margin: 0) {
            Action("one") {}
            Action("two") {}
        }
        let app = await show(screen)
        let buttons = try #require(screen.subviews.first).subviews
        try #require(buttons.count == 2)
        buttons[0].isHidden = true
        screen.focusFirst()
        #expect(buttons[1].containsFirstResponder)
        withExtendedLifetime(app) {}
    }

    @Test("A refresh shows the current values; an empty text takes no room")
    func refresh() async {
        let state = State()
        let screen = Form {
            Text { state.text }
            Text(role: .error, lines: 2) { state.problem }
            Text("below")
        }
        let app = await show(screen)
        #expect(app.text == "  one\n  below")
        state.text = "둘"
        state.problem = "a message that needs two lines"
        screen.refresh()
        await app.settle()
        #expect(app.text == "  둘\n  a message that needs two\n  lines\n  below")
        state.problem = ""
        screen.refresh()
        await app.settle()
        #expect(app.text == "  둘\n  below")
        let panel = MenuViewController()
        panel.show { Text { state.text } }
        let other = await launch(panel, width: 12, height: 3)
        #expect(other.text.contains("둘"))
        state.text = "three"
        panel.refresh()
        await other.settle()
        #expect(other.text.contains("three"))
    }

    @Test("A group is created again when its value changes; a pressed button above or below it, and the focus, stay")
    func group() async throws {
        let state = State()
        var names: [String] = []
        let screen = Form(margin: 0) {
            Action("top", kind: .item) { state.taps += 1 }
            Group(id: { names }) {
                for name in names { Action(name, kind: .item, currentDetail: { state.text }) { state.taps += 100 } }
            }
            Action("low", kind: .item) { state.taps += 10 }
        }
        let app = await show(screen, width: 20)
        #expect(app.text == " top\n low")
        for label in ["top", "low"] {
            let place = try #require(app.screen.find(label))
            await app.mouse(.down(.left), at: place)
            names.append("of \(label)")
            screen.refresh()
            await app.mouse(.up(.left), at: place)
        }
        #expect(state.taps == 11)
        #expect(app.text == " top\n of top         one\n of low         one\n low")
        state.text = "two"
        screen.refresh()
        await app.settle()
        #expect(app.text.contains("of top         two"))
        await app.press(.up)
        let focused = try #require(app.application.window.firstResponder)
        screen.refresh()
        #expect(focused.isFirstResponder && focused.plainText == ["[of low]"])
        names = ["new"]
        screen.refresh()
        #expect(app.application.window.firstResponder?.plainText == ["[new]"])
        names = []
        screen.refresh()
        await app.settle()
        #expect(app.text == " top\n low" && app.application.window.firstResponder?.plainText == ["[top]"])
        await app.mouse(.down(.left), at: GridPoint(x: 1, y: 0))
        await app.mouse(.drag(.left), at: GridPoint(x: 1, y: 1))
        names = ["new"]
        screen.refresh()
        await app.mouse(.up(.left), at: GridPoint(x: 1, y: 1))
        #expect(state.taps == 11, "the pointer has left the pressed button")
    }

    @Test("Typed text is stored in the binding at once, and a refresh does not change it or the caret")
    func typing() async {
        let state = State()
        var submitted: [String] = []
        let screen = Form {
            Field("type", limit: 4, text: Binding(state, \.typed, fallback: "")) { submitted.append(state.typed) }
        }
        var truncated: [Int] = []
        screen.onTruncate = { truncated += [$0, $1] }
        let app = await show(screen)
        screen.focusFirst()
        await app.type("우유ab")
        await app.press(.left, .left)
        await app.type("c")
        #expect(state.typed == "우유ab" && truncated == [1, 4], "no more than four characters are taken")
        let caret = app.caret
        screen.refresh()
        await app.settle()
        #expect(app.caret == caret)
        state.typed = "new"
        screen.refresh()
        await app.settle()
        #expect(app.text == "   new")
        await app.type("\n")
        #expect(submitted == ["new"])
    }

    @Test("In 20 columns a form has no margin, and a button uses its whole width for its title")
    func narrow() async {
        let form = Form { Action("Continue as a guest", kind: .primary) {} }
        let app = await fill(ScrollingForm(form), width: 20, height: 5)
        #expect(app.text.contains("Continue as a guest"))
        await app.resize(GridSize(width: 40, height: 5))
        #expect(app.screen.find("Continue as a guest")?.x == 10)
        await app.resize(GridSize(width: 14, height: 5))
        #expect(app.text.contains("  Continue…"))
    }

    @Test("A scrolling form is in the centre, and never wider than its maximum", arguments: [30, 61, 62, 63, 80, 122])
    func centre(_ width: Int) async {
        let form = Form { Text("text") }
        let app = await fill(ScrollingForm(width: 60, form), width: width, height: 5)
        #expect(form.frame.width == min(60, width - 1) && form.frame.minX == max(0, (width - 61) / 2))
        withExtendedLifetime(app) {}
    }

    @Test("A button acts on Enter and on a click, and has the width of its title")
    func buttons() async {
        let state = State()
        let screen = Form {
            HStack(spacing: 2) {
                Action("Save", kind: .primary) { state.taps += 1 }
                Action("Back") { state.taps += 10 }
            }
        }
        let app = await show(screen)
        screen.focusFirst()
        await app.type("\n")
        #expect(await app.click(on: "Back"))
        #expect(state.taps == 11)
        await app.click(GridPoint(x: 25, y: 0))
        #expect(state.taps == 11, "the last button does not stretch")
    }

    @Test("Elements side by side take as many rows as they need, also when one becomes longer")
    func rowsOfButtons() async {
        let state = State()
        state.typed = "Discard"
        let screen = Form(margin: 0) {
            HStack(spacing: 2) {
                Action("Save the changes") {}
                Choice(title: { state.typed }, next: {})
                Action("Back") {}
            }
            Text("below")
        }
        let app = await show(screen, width: 60)
        func check(_ rows: [Int]) {
            let found = ["Save the changes", state.typed, "Back", "below"].map { app.screen.find($0)?.y }
            #expect(found == rows, "\(app.text)")
            #expect(app.application.window.layoutDiagnostics == [])
        }
        check([0, 0, 0, 1])
        await app.resize(GridSize(width: 26, height: 8))
        check([0, 1, 1, 2])
        state.typed = "Discard everything"
        screen.refresh()
        await app.settle()
        check([0, 1, 2, 3])
        await app.resize(GridSize(width: 60, height: 8))
        check([0, 0, 0, 1])
    }

    @Test("A form does not retain the owner of its bindings")
    func noCycle() {
        weak var gone: State?
        let binding: Binding<String>
        do {
            let state = State()
            gone = state
            binding = Binding(state, \.typed, fallback: "nobody")
            binding.set("x")
            #expect(binding.get() == "x")
        }
        #expect(gone == nil)
        #expect(binding.get() == "nobody")
    }
}
