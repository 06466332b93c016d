import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Scroll views")
@MainActor
struct ScrollViewTests {
    private final class Fields: ViewController {
        let scroll = ScrollView()
        let fields = (1...6).map { TextField(placeholder: "field \($0)") }
        override func viewDidLoad() {
            view.fill(with: scroll)
            for field in fields { scroll.contentView.addSubview(field) }
            scroll.contentView.ndl.stack(fields, spacing: 1, distribution: .start)
        }
    }

    /// A scroll view without anything that takes the focus.
    private final class Lines: ViewController {
        let scroll = ScrollView()
        override func viewDidLoad() {
            view.fill(with: scroll)
            let label = Label((1...11).map { "line \($0)" }.joined(separator: "\n"), numberOfLines: 0)
            scroll.contentView.addSubview(label)
            label.ndl.makeConstraints { make in
                make.top.horizontal.equalTo(scroll.contentView)
                make.bottom.lessThanOrEqualTo(scroll.contentView)
            }
        }
    }

    @Test("The content fills a large window, and scrolls at its own height in a small one")
    func fillsOrScrolls() async {
        let form = Fields()
        let app = await launch(form, width: 30, height: 20)
        #expect(form.scroll.contentHeight == 20)
        await app.resize(GridSize(width: 30, height: 5))
        #expect(form.scroll.contentHeight == 11)
        #expect(app.screen.line(0).hasPrefix(" field 1"))
        await app.mouse(.wheelDown, at: .zero)
        #expect(form.scroll.contentOffset == 3)
        await app.mouse(.wheelUp, at: .zero)
        #expect(form.scroll.contentOffset == 0)
    }

    @Test("A window that grows shows no rows below the end of the content")
    func growsAtTheEnd() async {
        let lines = Lines()
        let app = await launch(lines, width: 30, height: 5)
        for _ in 0..<9 { await app.mouse(.wheelDown, at: .zero) }
        #expect(lines.scroll.contentOffset == 6)
        await app.resize(GridSize(width: 30, height: 8))
        #expect(lines.scroll.contentOffset == 3)
        #expect(app.screen.line(7).hasPrefix("line 11"))
    }

    @Test("The focused field stays visible when the focus moves and when the window shrinks")
    func focusStaysVisible() async {
        let form = Fields()
        let app = await launch(form, width: 30, height: 5)
        for field in form.fields {
            #expect(field.isFirstResponder)
            #expect(app.caret != nil)
            await app.press(.tab)
        }
        #expect(form.fields[0].isFirstResponder)
        #expect(app.caret == GridPoint(x: 1, y: 0))
        await app.resize(GridSize(width: 30, height: 20))
        for _ in 0..<5 { await app.press(.tab) }
        await app.resize(GridSize(width: 30, height: 4))
        #expect(form.fields[5].isFirstResponder)
        #expect(app.caret != nil)
        await app.resize(GridSize(width: 30, height: 20))
        #expect(form.scroll.contentOffset == 0)
    }

    @Test("scrollToVisible scrolls by the smallest distance")
    func smallestDistance() async {
        let form = Fields()
        let app = await launch(form, width: 30, height: 5)
        let scroll = form.scroll
        for (row, offset) in [(4, 0), (5, 1), (7, 3), (3, 3), (2, 2), (6, 2), (0, 0)] {
            scroll.scrollToVisible(GridRect(x: 0, y: row, width: 1, height: 1))
            #expect(scroll.contentOffset == offset, "row \(row)")
        }
        scroll.scrollToVisible(GridRect(x: 0, y: 1, width: 1, height: 9))
        #expect(scroll.contentOffset == 1)
        withExtendedLifetime(app) {}
    }

    @Test("Content without anything focusable is scrolled by keys where it does not fit")
    func keys() async {
        let lines = Lines()
        let app = await launch(lines, width: 30, height: 5)
        let offsets: [(Key.Code, Int)] = [
            (.down, 1), (.pageDown, 5), (.end, 6), (.down, 6), (.up, 5), (.pageUp, 1), (.home, 0),
        ]
        for (code, offset) in offsets {
            await app.press(Key(code))
            #expect(lines.scroll.contentOffset == offset, "\(code)")
        }
        await app.resize(GridSize(width: 30, height: 20))
        #expect(app.application.window.firstResponder == nil)
        let other = Lines()
        let button = Button("Close")
        other.view.addSubview(button)
        let second = await launch(other, width: 30, height: 5)
        #expect(button.isFirstResponder, "other views have the focus first")
        await second.press(.tab)
        #expect(other.scroll.isFirstResponder)
    }
}
