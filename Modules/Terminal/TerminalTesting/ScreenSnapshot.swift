public import EssentialFoundation
public import TerminalUI

/// The settled screen of an application, for comparison with an earlier one.
///
///     let app = TestApplication(root: controller)
///     await app.settle()
///     try ScreenSnapshot(of: app).verify(against: folder.appendingPathComponent("login.txt"))
///
/// The stored file contains the text, the position of the cursor and the styles, so that a change of a colour is a
/// difference, too. It is written if the environment variable `RECORD_SNAPSHOTS` is set to 1.
public struct ScreenSnapshot: Hashable, Sendable {
    /// The cells.
    public let screen: ScreenBuffer
    /// The position of the cursor; `nil` while it is hidden.
    public let caret: GridPoint?

    /// Creates a snapshot of cells.
    public init(screen: ScreenBuffer, caret: GridPoint? = nil) {
        self.screen = screen
        self.caret = caret
    }

    /// Creates a snapshot of an application; call `settle()` before.
    @MainActor
    public init(of app: TestApplication) {
        self.init(screen: app.screen, caret: app.caret)
    }

    /// The snapshot as SVG, for a person to look at.
    public func svg(palette: ScreenPalette = .dark) -> String { screen.svg(palette: palette, cursor: caret) }

    /// The snapshot as text: the lines between bars, the cursor, and for each line the runs of cells that have a style.
    public var text: String {
        var lines = ["\(screen.size), cursor \(caret.map { "\($0)" } ?? "hidden")"]
        for y in 0..<screen.size.height {
            let line = screen.line(y)
            lines.append("|" + line + String(repeating: " ", count: screen.size.width - DisplayWidth.of(line)) + "|")
            lines += runs(y)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Compares the snapshot with a stored one.
    ///
    /// - Throws: ``SnapshotDifference`` if they differ or there is no file, and the errors of the file system.
    public func verify(
        against file: URL,
        records: Bool = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"
    ) throws {
        if records {
            try Data(text.utf8).write(to: file, options: .atomic)
            return
        }
        guard let stored = try? String(contentsOf: file, encoding: .utf8) else {
            throw SnapshotDifference(
                name: file.lastPathComponent,
                lines: ["there is no file; set RECORD_SNAPSHOTS=1 to write it"]
            )
        }
        if let difference = SnapshotDifference(name: file.lastPathComponent, expected: stored, actual: text) {
            throw difference
        }
    }

    /// Returns a line for each run of cells with one style, except the plain one.
    private func runs(_ y: Int) -> [String] {
        var lines: [String] = []
        var x = 0
        while x < screen.size.width {
            let style = screen[x, y].style
            let start = x
            while x < screen.size.width, screen[x, y].style == style { x += 1 }
            if style != .plain { lines.append("  \(start)-\(x - 1): \(Self.describe(style, in: screen))") }
        }
        return lines
    }

    private static func describe(_ style: TextStyle, in screen: ScreenBuffer) -> String {
        var words: [String] = []
        if style.foreground != .standard { words.append("\(style.foreground)") }
        if style.background != .standard { words.append("on \(style.background)") }
        words += TextStyle.Attributes.names.filter { style.attributes.contains($0.attribute) }.map(\.name)
        if let address = screen.address(of: style.link) { words.append("link \(address)") }
        return words.joined(separator: " ")
    }
}

/// The lines in which two snapshots differ, with marks below the columns that differ.
public struct SnapshotDifference: Error, Hashable, CustomStringConvertible {
    /// The name of the stored snapshot.
    public let name: String
    /// The differences: `-` begins a stored line, `+` an actual one, and `^` marks the columns that differ.
    public let lines: [String]

    init(name: String, lines: [String]) {
        self.name = name
        self.lines = lines
    }

    /// Compares two texts of snapshots; `nil` if they are equal.
    public init?(name: String, expected: String, actual: String) {
        guard expected != actual else { return nil }
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let new = actual.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var lines: [String] = []
        var row = -1
        for change in Self.aligned(old, new) {
            if (change.new ?? change.old)?.hasPrefix("|") == true, change.new != nil { row += 1 }
            guard change.old != change.new else { continue }
            let place = row < 0 ? "size" : "row \(row)"
            if lines.last != place && !lines.contains(place) { lines.append(place) }
            if let old = change.old { lines.append("- " + old) }
            if let new = change.new { lines.append("+ " + new) }
            if let old = change.old, let new = change.new { lines.append("  " + Self.marks(old, new)) }
        }
        self.init(name: name, lines: lines)
    }

    /// The name and the differences.
    public var description: String { "the screen differs from \(name):\n" + lines.joined(separator: "\n") }

    /// Aligns the lines: rows of the screen with each other, and the styles between them as they come.
    private static func aligned(_ old: [String], _ new: [String]) -> [(old: String?, new: String?)] {
        func groups(_ lines: [String]) -> [[String]] {
            lines.reduce(into: [[]]) { groups, line in
                if line.hasPrefix("|") { groups.append([line]) } else { groups[groups.count - 1].append(line) }
            }
        }
        let (left, right) = (groups(old), groups(new))
        var result: [(old: String?, new: String?)] = []
        for index in 0..<max(left.count, right.count) {
            let (a, b) = (index < left.count ? left[index] : [], index < right.count ? right[index] : [])
            for line in 0..<max(a.count, b.count) {
                result.append((line < a.count ? a[line] : nil, line < b.count ? b[line] : nil))
            }
        }
        return result
    }

    private static func marks(_ old: String, _ new: String) -> String {
        let (a, b) = (Array(old), Array(new))
        var marks = ""
        for index in 0..<max(a.count, b.count) {
            let width = index < b.count ? max(1, DisplayWidth.of(b[index])) : 1
            let differs = index >= a.count || index >= b.count || a[index] != b[index]
            marks += String(repeating: differs ? "^" : " ", count: width)
        }
        while marks.last == " " { marks.removeLast() }
        return marks
    }
}
