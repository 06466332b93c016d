import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Scroll bars, sheets and split views")
@MainActor
struct ScrollingTests {
    private func wide() -> (ScrollView, Label) {
        let scroll = ScrollView()
        scroll.scrollsHorizontally = true
        let label = Label(
            (0..<30).map { "row \($0) " + String(repeating: "0123456789", count: 6) }.joined(separator: "\n")
        )
        label.numberOfLines = 0
        scroll.contentView.addSubview(label)
        label.ndl.makeConstraints { make in
            make.edges.equalTo(scroll.contentView)
            make.width.equalTo(67)
            make.height.equalTo(30)
        }
        return (scroll, label)
    }

    @Test("Content that is wider and higher scrolls both ways, by keys, wheel and bars")
    func bothWays() async {
        let (scroll, _) = wide()
        let app = await fill(scroll, width: 21, height: 9)
        #expect(app.screen.line(0).hasPrefix("row 0 0123"))
        #expect(app.screen.line(8).hasPrefix("━"))
        await app.mouse(.wheelDown, at: GridPoint(x: 3, y: 3))
        await app.mouse(.wheelRight, at: GridPoint(x: 3, y: 3))
        #expect(scroll.contentOffset == 3 && scroll.horizontalOffset == 3)
        #expect(app.screen.line(0).hasPrefix(" 3 0123") || app.screen.line(0).hasPrefix("3 0123"))
        await app.drag(from: GridPoint(x: 20, y: 0), through: GridPoint(x: 20, y: 20))
        #expect(scroll.contentOffset == 22)
        await app.drag(from: GridPoint(x: 2, y: 8), through: GridPoint(x: 100, y: 8))
        #expect(scroll.horizontalOffset == 47)
        #expect(scroll.keyDown(Key(.pageUp, .shift)) && scroll.horizontalOffset == 28)
        #expect(scroll.keyDown(Key(.pageDown, .shift)) && !scroll.keyDown(Key(.pageDown, .shift)))
        // Of a rectangle that is wider than the view, the left side is shown.
        scroll.scroll(toColumn: 0)
        scroll.scrollToVisible(GridRect(x: 5, y: scroll.contentOffset, width: 30, height: 1))
        #expect(scroll.horizontalOffset == 5)
        scroll.scroll(toColumn: 47)
        await app.drag(from: GridPoint(x: 20, y: 7), through: GridPoint(x: 20, y: -5))
        #expect(scroll.contentOffset == 0)
    }

    @Test("Dragging the bar of a list scrolls it and selects nothing")
    func listBar() async {
        let (list, source) = rows(1000)
        defer { withExtendedLifetime(source) {} }
        let app = await fill(list, width: 20, height: 10)
        await app.drag(from: GridPoint(x: 19, y: 0), through: GridPoint(x: 19, y: 5), GridPoint(x: 19, y: 30))
        #expect(list.contentOffset == 990 && list.selectedRow == 0)
        #expect(app.text.contains("row 999"))
    }

    @Test("The thumb stays in its bar, and each of its places has an offset", arguments: [2, 5, 24, 300])
    func geometry(_ length: Int) {
        for content in [length + 1, length * 2, length * 50] {
            for offset in [0, 1, (content - length) / 2, content - length] {
                let bar = ScrollBar(length: length, content: content, offset: offset)
                #expect(bar.thumb.lowerBound >= 0 && bar.thumb.upperBound <= length && !bar.thumb.isEmpty)
            }
            let bar = ScrollBar(length: length, content: content, offset: 0)
            #expect(bar.thumb.lowerBound == 0)
            #expect(bar.offset(forThumbAt: -5) == 0)
            #expect(bar.offset(forThumbAt: length) == content - length || length == bar.thumb.count)
        }
    }

    @Test("A sheet shows a controller in a frame, confines the focus, and closes with Escape or a click outside")
    func sheet() async {
        let root = Stack([TextField(placeholder: "behind")])
        let app = await launch(root, width: 40, height: 12)
        func present() async -> SheetController {
            let sheet = SheetController(
                content: Stack([Label("inside"), TextField()]),
                title: "New",
                maximumSize: GridSize(width: 20, height: 6)
            )
            root.present(sheet)
            await app.settle()
            return sheet
        }
        let sheet = await present()
        #expect(app.text.contains("─ New ─") && app.screen.find("inside") == GridPoint(x: 11, y: 4))
        await app.press(.tab, .tab)
        #expect(app.caret?.y == 5)
        var asked = 0
        sheet.onClose = {
            asked += 1
            return asked > 1
        }
        await app.press(.escape)
        #expect(app.text.contains("inside"))
        await app.press(.escape)
        #expect(!app.text.contains("inside") && app.caret?.y == 0)
        _ = await present()
        await app.click(GridPoint(x: 0, y: 0))
        #expect(!app.text.contains("inside"))
    }

    @Test("A sheet that is higher than its window leaves its margin free", arguments: [0, 1])
    func sheetMargin(margin: Int) async {
        let root = Stack([TextField()])
        let app = await launch(root, width: 40, height: 8)
        let size = GridSize(width: 20, height: 30)
        root.present(SheetController(content: Stack([]), title: "New", maximumSize: size, margin: margin))
        await app.settle()
        #expect(app.screen.find("─ New ─")?.y == margin && app.screen.find("╰")?.y == 7 - margin)
    }

    @Test("The line of a split view is dragged and moved by keys, within the minimum widths")
    func split() async {
        let split = SplitView(Label("left"), Label("right"))
        var fractions: [Double] = []
        split.onChange = { fractions.append($0) }
        let app = await fill(split, width: 61, height: 3)
        #expect(app.screen.find("│") == GridPoint(x: 30, y: 0) && app.screen.find("right") == GridPoint(x: 31, y: 0))
        await app.drag(from: GridPoint(x: 30, y: 1), through: GridPoint(x: 40, y: 1))
        #expect(app.screen.find("│")?.x == 40)
        await app.drag(from: GridPoint(x: 40, y: 1), through: GridPoint(x: 2, y: 1))
        #expect(app.screen.find("│")?.x == 12 && !fractions.isEmpty)
        await app.resize(GridSize(width: 20, height: 3))
        #expect(app.text.contains("left") && !app.text.contains("right"))
        split.showsSecondAlone = true
        await app.settle()
        #expect(app.text.contains("right") && !app.text.contains("left"))
    }

    @Test("A split view stacks its views or shows the first alone, and its line can be a grip")
    func arrangements() async {
        // Labels would not be higher than their text.
        let (first, second) = (Stack([Label("left")]), Stack([Label("right")]))
        let split = SplitView(first.view, second.view, fraction: 0.6)
        let app = await fill(split, width: 61, height: 9)
        split.hasFullLine = false
        await app.settle()
        #expect((0..<9).filter { app.screen.line($0).contains("┃") } == [3, 4, 5])
        await app.drag(from: GridPoint(x: 36, y: 0), through: GridPoint(x: 20, y: 0))
        #expect(app.screen.find("right")?.x == 21, "the whole column can be dragged")
        split.arrangement = .stacked
        split.fraction = 0.6
        await app.settle()
        #expect(app.screen.find("right") == GridPoint(x: 0, y: 5) && app.screen.find("left") == .zero)
        #expect(!app.text.contains("┃"))
        await app.press(Key(.right, .alt))
        #expect(split.fraction == 0.6)
        split.arrangement = .first
        await app.settle()
        #expect(app.text.contains("left") && !app.text.contains("right"))
        split.arrangement = .sideBySide
        await app.settle()
        #expect(app.text.contains("left") && app.text.contains("right"))
    }
}
