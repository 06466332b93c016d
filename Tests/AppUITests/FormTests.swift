import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import AppUI

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

    /// A view controller of a screen alone.
    private final class Holder: ViewController {
        private let screen: Form

        init(_ screen: Form) {
            self.screen = screen
            super.init()
        }

        override func loadView() -> View { screen }
    }

    private func show(_ screen: Form, width: Int = 30, height: Int = 8) async -> TestApplication {
        let app = TestApplication(root: Holder(screen), size: Size(width: width, height: height))
        await app.settle()
        return app
    }

    @Test("R1: elements are placed one below the other, with the spacing and the margins")
    func stacks() async {
        let app = await show(
            Form(margin: 2, spacing: 1) {
                Text("A title", role: .title)
                VStack {
                    Text("first")
                    Text("둘째")
                }
                HStack(spacing: 3) {
                    Text("left")
                    Text("right")
                }
            }
        )
        #expect(app.text == "  A title\n\n  first\n  둘째\n\n  left   right")
    }

    @Test("R1: a row begins with its name, and its element fills the rest", arguments: [20, 30, 60])
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
        #expect(app.screen.find("any") == Point(x: 13, y: 0))
        #expect(app.screen.find("Notes") == Point(x: 2, y: 1))
        #expect(app.screen.find("a few") == Point(x: 12, y: 1))
        // The field's ground reaches to the margin, and no further.
        let field = app.screen[12, 0].style.background
        #expect(field != .standard)
        #expect(app.screen[width - 3, 0].style.background == field)
        #expect(app.screen[width - 2, 0].style.background == .standard)
    }

    @Test("R1: conditions and loops choose elements")
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

    @Test("R1: a refresh shows the current values; an empty text takes no room")
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
        state.problem = "not at all well, and told on two lines"
        screen.refresh()
        await app.settle()
        #expect(app.text == "  둘\n  not at all well, and told\n  on two lines\n  below")
        state.problem = ""
        screen.refresh()
        await app.settle()
        #expect(app.text == "  둘\n  below")
    }

    @Test("R1: typed text is stored in the binding at once, and a refresh does not change it or the caret")
    func typing() async {
        let state = State()
        var submitted: [String] = []
        let screen = Form {
            Field("type", limit: 4, text: Binding(state, \.typed, fallback: "")) { submitted.append(state.typed) }
        }
        let app = await show(screen)
        screen.focusFirst()
        await app.type("우유ab")
        await app.press(.left, .left)
        await app.type("c")
        #expect(state.typed == "우유ab", "no more than four characters are taken")
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

    @Test("R1: a button acts on Enter and on a click, and has the width of its title")
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
        await app.click(Point(x: 25, y: 0))
        #expect(state.taps == 11, "the last button does not stretch")
    }

    @Test("R1: a form does not retain the owner of its bindings")
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
