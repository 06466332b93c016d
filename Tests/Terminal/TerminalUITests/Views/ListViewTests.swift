import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Lists")
@MainActor
struct ListViewTests {
    struct Item: Identifiable, Equatable {
        let id: Int
        var isHeading = false
    }

    final class Heading: ListCell {
        let label = Label()

        required init() {
            super.init()
            addSubview(label)
            label.ndl.makeConstraints { $0.bottom.left.equalTo(self) }
        }
    }

    private final class Page: ViewController {
        let list = ListView()
        var items: ListItems<Item>?
        override func viewDidLoad() {
            view.fill(with: list)
            items = ListItems<Item>(list, height: { $0.isHeading ? 2 : 1 }, canSelect: { !$0.isHeading }) {
                list,
                item in
                if item.isHeading {
                    let cell = list.dequeue(Heading.self)
                    cell.label.text = "Section \(item.id)"
                    return cell
                }
                let cell = list.dequeue(TextCell.self)
                cell.text = "할 일 \(item.id)"
                return cell
            }
        }
    }

    private func start(_ items: [Item], height: Int = 6) async -> (TestApplication, Page) {
        let page = Page()
        let app = await launch(page, width: 30, height: height)
        page.items?.apply(items)
        await app.settle()
        return (app, page)
    }

    @Test("Several kinds of cells, of several heights, in one list")
    func kinds() async {
        let (app, page) = await start([Item(id: 0, isHeading: true), Item(id: 1), Item(id: 2)])
        #expect(app.text == "\nSection 0\n 할 일 1\n 할 일 2")
        #expect(page.list.selectedRow == 1)
        #expect(page.list.cell(forRow: 0) is Heading)
        #expect(page.list.cell(forRow: 1) is TextCell)
    }

    @Test("Of a hundred thousand rows only the visible ones have cells, and cells are reused")
    func reuse() async {
        let (app, page) = await start((0..<100_000).map { Item(id: $0) })
        #expect(page.list.cellCount == 6)
        await app.press(.end)
        #expect(app.screen.line(5).hasPrefix(" 할 일 99999"))
        await app.press(.pageUp, .pageUp, .up)
        await app.press(.home)
        #expect(app.screen.line(0).hasPrefix(" 할 일 0"))
        #expect(page.list.cellCount <= 12)
    }

    @Test("Arrows, page keys and the wheel move; headings are skipped")
    func moving() async {
        // The last row is a heading, too.
        let items = (0..<41).map { Item(id: $0, isHeading: $0 % 10 == 0) }
        let (app, page) = await start(items)
        for _ in 0..<9 { await app.press(.down) }
        #expect(page.items?.selectedItem?.id == 11)
        await app.press(.up)
        #expect(page.items?.selectedItem?.id == 9)
        await app.press(.pageDown)
        #expect(page.items?.selectedItem?.id == 13)
        for _ in 0..<8 { await app.press(.pageDown) }
        #expect(page.items?.selectedItem?.id == 39)
        await app.press(.home)
        #expect(page.items?.selectedItem?.id == 1)
        let before = page.list.contentOffset
        await app.mouse(.wheelDown, at: GridPoint(x: 1, y: 1))
        #expect(page.list.contentOffset == before + 3)
        #expect(page.items?.selectedItem?.id == 1)
        await app.press(.home)
        #expect(page.list.contentOffset == before, "the selected row is shown again")
        await app.mouse(.wheelDown, at: GridPoint(x: 1, y: 1))
        // The bar is released with the button: a later movement with the button scrolls nothing.
        await app.drag(from: GridPoint(x: 29, y: 1), through: GridPoint(x: 29, y: 4))
        let dragged = page.list.contentOffset
        #expect(dragged > before + 3)
        await app.drag(from: GridPoint(x: 3, y: 2), through: GridPoint(x: 3, y: 5))
        #expect(page.list.contentOffset == dragged)
        // A heading is shown with its first row, also where there is just room for the two.
        await app.resize(GridSize(width: 30, height: 3))
        await app.press(.home)
        for _ in 0..<10 { await app.press(.down) }
        await app.press(.up)
        #expect(page.items?.selectedItem?.id == 11 && page.list.contentOffset == 11)
    }

    @Test("Page Down and Page Up leave a row that is as high as the list, or higher", arguments: [1, 2, 3, 4, 5])
    func highRows(height: Int) async {
        let list = ListView()
        let items = ListItems<NumberedRow>(list, height: { $0.id == 2 ? 7 : 4 }) { list, row in
            let cell = list.dequeue(TextCell.self)
            cell.text = "row \(row.id)"
            return cell
        }
        items.apply((0..<5).map(NumberedRow.init))
        let app = await fill(list, width: 20, height: height)
        for _ in 0..<4 { await app.press(.pageDown) }
        #expect(list.selectedRow == 4)
        for _ in 0..<4 { await app.press(.pageUp) }
        #expect(list.selectedRow == 0)
    }

    @Test("A selected row that can no longer be selected yields to the row after it, wherever it is now")
    func noLongerSelectable() async {
        let (app, page) = await start((0..<10).map { Item(id: $0) })
        var activated: [Int] = []
        page.list.onActivate = { [list = page.list] row in activated.append(list.selectedRow == row ? row : -1) }
        await app.press(.down, .down)
        page.items?.apply((-3..<10).map { Item(id: $0, isHeading: $0 == 2 || $0 == 3) })
        await app.press(Key(.enter))
        #expect(page.items?.selectedItem?.id == 4 && activated == [7])
        page.items?.apply((0..<5).map { Item(id: $0, isHeading: $0 > 3) })
        #expect(page.items?.selectedItem?.id == 3)
        page.items?.apply((0..<5).map { Item(id: $0, isHeading: true) })
        await app.press(Key(.enter))
        #expect(page.list.selectedRow == nil && activated.count == 1)
    }

    @Test("The selection stays with its item when rows are inserted and removed")
    func identity() async {
        let (app, page) = await start((0..<10).map { Item(id: $0) })
        await app.press(.down, .down, .down)
        #expect(page.items?.selectedItem?.id == 3)
        page.items?.apply([Item(id: 20), Item(id: 21)] + (0..<10).map { Item(id: $0) })
        await app.settle()
        #expect(page.items?.selectedItem?.id == 3)
        page.items?.apply([Item(id: 5)])
        await app.settle()
        #expect(page.items?.selectedItem?.id == 5)
        page.items?.apply([])
        await app.settle()
        #expect(page.list.selectedRow == nil)
        page.list.emptyText = "아무것도 없음"
        await app.settle()
        #expect(app.text == " 아무것도 없음")
        page.list.emptyText = "There is nothing here; press n for something."
        await app.settle()
        #expect(app.text == " There is nothing here; press\n n for something.", "it takes several rows")
        await app.press(.enter, .down, .pageDown, .end)
    }

    @Test("Enter and a click on the selected row activate")
    func activation() async {
        let (app, page) = await start((0..<4).map { Item(id: $0) })
        var activated: [Int] = []
        page.list.onActivate = { activated.append($0) }
        await app.press(.down, .enter)
        await app.click(on: "할 일 3")
        #expect(activated == [1])
        await app.click(on: "할 일 3")
        #expect(activated == [1, 3])
    }

    @Test("When the selected row goes and only headings follow, the last row before them is selected")
    func selectionBeforeHeadings() async {
        let (app, page) = await start((0..<4).map { Item(id: $0) })
        page.list.selectRow(3)
        page.items?.apply([
            Item(id: 0), Item(id: 1), Item(id: 8, isHeading: true), Item(id: 9, isHeading: true),
        ])
        await app.settle()
        #expect(page.list.selectedRow == 1)
    }

    @Test("The list stays within its rows when items change, at every size", arguments: [1, 2, 3, 7])
    func churn(_ height: Int) async {
        let (app, page) = await start([], height: height)
        for count in [0, 1, 50, 3, 0, 7, 200, 2] {
            page.items?.apply((0..<count).map { Item(id: $0, isHeading: $0 % 5 == 0) })
            await app.press(.end, .up, .pageUp, .down)
            #expect(page.list.contentOffset >= 0)
            #expect(page.list.cellCount <= 4 * height + 4)
        }
    }

    @Test("After a resize the selected row is visible, wherever the wheel had scrolled")
    func resizeShowsSelection() async {
        let (app, page) = await start((0..<50).map { Item(id: $0) }, height: 20)
        page.list.selectRow(18)
        await app.settle()
        #expect(page.list.cell(forRow: 18) != nil)
        await app.resize(GridSize(width: 30, height: 5))
        #expect(page.list.cell(forRow: 18)?.frame.maxY ?? 99 <= 5)
        #expect(app.text.contains("할 일 18"))
        page.list.scroll(to: 40)
        await app.settle()
        #expect(!app.text.contains("할 일 18"))
        await app.resize(GridSize(width: 30, height: 6))
        #expect(app.text.contains("할 일 18"))
    }

    /// Rows that are computed when they are shown, with identities at even rows only near the selection.
    private final class LazySource: ListViewDataSource {
        var count: Int
        var first = 0
        var asked: Set<Int> = []

        init(count: Int) { self.count = count }

        func numberOfRows(in listView: ListView) -> Int { count }
        func rowHeight(in listView: ListView) -> Int? { 1 }

        func listView(_ listView: ListView, cellForRow row: Int) -> ListCell {
            asked.insert(row)
            let cell = listView.dequeue(TextCell.self)
            cell.text = "row \(first + row)"
            return cell
        }

        func listView(_ listView: ListView, canSelectRow row: Int) -> Bool { (first + row) % 10 != 0 }
        func listView(_ listView: ListView, identifierOfRow row: Int) -> AnyHashable? { first + row }

        func listView(_ listView: ListView, rowOf identifier: AnyHashable, near row: Int) -> Int? {
            guard let number = identifier as? Int else { return nil }
            return (0..<count).contains(number - first) ? number - first : nil
        }
    }

    @Test("A lazy source is asked for the visible rows alone, however many there are, also by a reload")
    func lazy() async {
        let page = Page()
        let app = await launch(page, width: 30, height: 6)
        let source = LazySource(count: 1_000_000_000)
        page.list.dataSource = source
        await app.settle()
        #expect(app.screen.line(0).hasPrefix(" row 0") && page.list.selectedRow == 1, "a heading is not selected")
        await app.press(.end)
        #expect(app.screen.line(5).hasPrefix(" row 999999999"))
        await app.press(.pageUp, .pageUp)
        #expect(page.list.selectedRow == 999_999_989)
        await app.press(.home, .pageDown, .down)
        #expect(page.list.selectedRow == 7)
        // Rows before the selected one go: it stays selected. Then it goes itself.
        source.first = 5
        page.list.reloadData()
        await app.settle()
        #expect(page.list.selectedRow == 2 && app.text.contains("row 7"))
        (source.first, source.count) = (8, 2)
        page.list.reloadData()
        await app.settle()
        #expect(app.text == " row 8\n row 9" && page.list.selectedRow == 1)
        #expect(source.asked.count < 40)
    }

    @Test("Scrolling up to a row shows the heading above it, if there is room for both")
    func headings() async {
        let page = Page()
        let app = await launch(page, width: 30, height: 6)
        let source = LazySource(count: 40)
        page.list.dataSource = source
        page.list.reloadData(selecting: 31)
        await app.settle()
        #expect(page.list.visibleRows == 26..<32 && page.list.selectedRow == 31)
        page.list.scroll(to: 34)
        page.list.selectRow(21)
        await app.settle()
        #expect(page.list.visibleRows == 20..<26 && app.screen.line(0).hasPrefix(" row 20"))
        #expect(page.list.row(at: GridPoint(x: 3, y: 2)) == 22 && page.list.row(at: GridPoint(x: 29, y: 2)) == nil)
        await app.resize(GridSize(width: 30, height: 1))
        #expect(page.list.visibleRows == 21..<22, "there is room for the row alone")
        page.list.selectEnd(isLast: false)
        #expect(page.list.selectedRow == 1 && !page.list.selectNext(-1))
    }

    @Test("Rows at the ends that cannot be selected are shown with the nearest row and reached by keys")
    func unselectableEnds() async {
        let (app, page) = await start((0..<12).map { Item(id: $0, isHeading: !(4...7).contains($0)) })
        func check(_ steps: [(Key.Code, selected: Int?, offset: Int)]) async {
            for (code, selected, offset) in steps {
                await app.press(Key(code))
                #expect(page.items?.selectedItem?.id == selected && page.list.contentOffset == offset, "\(code)")
            }
        }
        #expect(page.list.contentOffset == 3)
        await check([(.up, 4, 2), (.up, 4, 1), (.up, 4, 0), (.up, 4, 0), (.home, 4, 3)])
        await check([(.end, 7, 10), (.down, 7, 11), (.pageDown, 7, 14), (.down, 7, 14)])
        await check([(.pageUp, 4, 4), (.pageUp, 4, 0)])
        page.items?.apply((0..<9).map { Item(id: $0, isHeading: true) })
        await check([(.end, nil, 12), (.up, nil, 11), (.home, nil, 0), (.down, nil, 1), (.pageDown, nil, 6)])
    }
}
