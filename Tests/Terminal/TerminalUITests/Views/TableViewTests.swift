import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Tables")
@MainActor
struct TableViewTests {
    private struct Row: Identifiable {
        let id: Int
        let name: String
    }

    private func table(_ rows: [Row]) -> TableView<Row> {
        let table = TableView<Row>([
            .init("ID", width: 6, alignment: .trailing, areInOrder: { $0.id < $1.id }, text: { "\($0.id)" }),
            .init("이름", areInOrder: { $0.name < $1.name }, text: { $0.name }),
            .init("Length", width: 6, text: { "\($0.name.count)" }),
        ])
        table.items = rows
        return table
    }

    @Test("Columns have their widths and alignments, and long texts are truncated")
    func columns() async {
        let rows = [Row(id: 1, name: "우유"), Row(id: 20, name: "a name that is too long")]
        let app = await fill(table(rows), width: 30, height: 5)
        #expect(app.screen.line(0) == "    ID 이름            Length")
        #expect(app.screen.line(1) == "     1 우유            2")
        #expect(app.screen.line(2) == "    20 a name that is… 23")
    }

    @Test("A click on a heading sorts, a second one reverses, and the selected row stays selected")
    func sorting() async {
        let table = table([Row(id: 2, name: "b"), Row(id: 1, name: "c"), Row(id: 3, name: "a")])
        let app = await fill(table, width: 30, height: 5)
        await app.press(.down)
        #expect(table.selectedItem?.id == 1)
        await app.click(on: "이름")
        #expect(table.items.map(\.id) == [3, 2, 1] && table.selectedItem?.id == 1)
        #expect(app.screen.line(0).contains("이름 ▴"))
        await app.click(on: "이름")
        #expect(table.items.map(\.id) == [1, 2, 3])
        await app.click(on: "이름")
        #expect(table.items.map(\.id) == [2, 1, 3] && table.sortColumn == nil, "the given order")
        #expect(!app.screen.line(0).contains("▾") && table.selectedItem?.id == 1)
        await app.press(Key(.character("1"), .alt))
        #expect(table.items.map(\.id) == [1, 2, 3] && table.sortColumn == 0 && !table.isReversed)
        table.select(3)
        #expect(table.selectedItem?.id == 3)
        await app.click(on: "Length")
        #expect(table.sortColumn == 0)
        table.items = [Row(id: 5, name: "b"), Row(id: 4, name: "b"), Row(id: 6, name: "a")]
        table.sort(by: 1, isReversed: true)
        #expect(table.items.map(\.id) == [5, 4, 6], "equal values have the given order")
    }

    @Test("A table of 100,000 rows sorts, pages to its end, and has cells for the visible rows only")
    func large() async {
        let table = table((0..<100_000).map { Row(id: $0, name: "row \($0 * 7919 % 100_000)") })
        let app = await fill(table, width: 30, height: 12)
        table.sort(by: 0, isReversed: true)
        await app.settle()
        // The selected row stays selected and visible.
        #expect(table.selectedItem?.id == 0 && app.text.contains("row 0"))
        await app.press(.home)
        #expect(app.screen.line(1).contains("99999"))
        await app.press(.end)
        #expect(table.selectedItem?.id == 0)
        #expect(table.list.cellCount <= 24)
        var activated: Int?
        table.onActivate = { activated = $0.id }
        await app.press(.enter)
        #expect(activated == 0)
    }
}
