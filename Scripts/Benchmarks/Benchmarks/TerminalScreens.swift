import Foundation
import TerminalUI

/// A sequence of screens that this project and ncurses draw alike.
struct TerminalScreens: Sendable {
    /// The name of the workload.
    let name: String
    /// The number of columns and rows.
    let size: GridSize
    /// The frames; all are drawn once before the measurement.
    let frames: [[Run]]

    /// A text with one style.
    struct Run: Sendable {
        let row: Int
        let column: Int
        let style: Look
        let text: String
    }

    /// The styles, by their numbers in the file of the peer.
    enum Look: Int, Sendable {
        case plain, reverse, bold, bar

        var style: TextStyle {
            switch self {
            case .plain: .plain
            case .reverse: TextStyle(attributes: .reverse)
            case .bold: TextStyle(attributes: .bold)
            case .bar: TextStyle(foreground: .white, background: .blue)
            }
        }
    }

    /// The screens as the file that the peer reads.
    var text: String {
        var text = "\(size.width) \(size.height)\n"
        for frame in frames {
            for run in frame { text += "r \(run.row) \(run.column) \(run.style.rawValue) \(run.text)\n" }
            text += "f\n"
        }
        return text
    }

    /// All workloads, of 200 x 50 cells.
    static let all = [scrolling, selection, typing, pages, clock]

    private static let screen = GridSize(width: 200, height: 50)

    /// Returns a list with a bar above and a line below.
    private static func list(from first: Int, selected: Int, status: String = "45 open") -> [Run] {
        var runs = [Run(row: 0, column: 0, style: .bar, text: padded(" Todos 할 일", 200))]
        for row in 1..<49 {
            let item = first + row
            let words = ["우유 사기", "Call the plumber about the kitchen", "강아지 산책 30분", "Renew the passport"]
            let text = " [\(item % 3 == 0 ? "x" : " ")] \(words[item % 4]) number \(item * 7919 % 10_000)"
            runs.append(Run(row: row, column: 0, style: item == selected ? .reverse : .plain, text: padded(text, 180)))
            runs.append(Run(row: row, column: 185, style: .bold, text: "2026-\(10 + item % 3)-\(10 + item % 20)"))
        }
        runs.append(Run(row: 49, column: 0, style: .plain, text: status))
        return runs
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    private static let scrolling = TerminalScreens(
        name: "a list that scrolls by a row",
        size: screen,
        frames: (0..<60).map { list(from: $0, selected: $0 + 40) }
    )
    private static let selection = TerminalScreens(
        name: "a selection that moves",
        size: screen,
        frames: (0..<40).map { list(from: 100, selected: 101 + $0) }
    )
    private static let typing = TerminalScreens(
        name: "typing in a field",
        size: screen,
        frames: (0..<60).map {
            list(from: 100, selected: 0, status: "new: " + String("우유 사기 and bread from the bakery, eggs".prefix($0)))
        }
    )
    private static let pages = TerminalScreens(
        name: "another page with each frame",
        size: screen,
        frames: (0..<40).map { list(from: $0 * 47, selected: $0 * 47 + 5) }
    )
    private static let clock = TerminalScreens(
        name: "a changing number in each row",
        size: screen,
        frames: (0..<40).map { frame in
            list(from: 100, selected: 101)
                + (1..<49).map {
                    Run(row: $0, column: 150, style: .plain, text: "\(frame * 31 % 97 + $0) of \(frame * 17 % 89)   ")
                }
        }
    )
}
