import TerminalUI

extension GalleryExample {
    /// A table of 100,000 rows that is sorted by a click on a heading or Alt and a digit.
    static let table = GalleryExample("table", "Table") {
        struct Row: Identifiable {
            let id: Int
            let title: String
            let date: String
        }
        let table = TableView<Row>([
            .init("ID", width: 7, alignment: .trailing, areInOrder: { $0.id < $1.id }, text: { "\($0.id)" }),
            .init("할 일", areInOrder: { $0.title < $1.title }, text: { $0.title }),
            .init("Due", width: 10, areInOrder: { $0.date < $1.date }, text: { $0.date }),
        ])
        let words = ["우유 사기", "Call 엄마", "passport", "산책"]
        table.items = (0..<100_000).map { number in
            Row(
                id: number,
                title: "\(words[number % words.count]) \(number * 7919 % 1000)",
                date: "2026-\(10 + number % 3)-\(10 + number * 31 % 20)"
            )
        }
        return ViewController(filledBy: table)
    }
}
