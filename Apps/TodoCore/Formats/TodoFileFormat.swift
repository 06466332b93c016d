import TextEscaping

/// A file format of todos.
public enum TodoFileFormat: String, Hashable, Sendable, CaseIterable {
    /// The lines of todo.txt.
    case todotxt
    /// The JSON of taskwarrior.
    case taskwarrior
    /// The VTODO components of iCalendar.
    case ics
    /// Task lists in Markdown.
    case markdown
    /// Comma-separated values; export only.
    case csv
    /// The app's own JSON, which contains every field.
    case json

    /// The formats that can be imported.
    public static let importable = allCases.filter { $0 != .csv }

    /// Returns the format that the end of a file name indicates; `nil` for any other name.
    ///
    /// - Parameters:
    ///   - fileName: the name or path.
    ///   - contents: the bytes of a file that is read. JSON that does not begin as the app's own is taskwarrior's.
    public init?(fileName: String, contents: [UInt8]? = nil) {
        let name = fileName.lowercased()
        switch name {
        case _ where name.hasSuffix(".txt"): self = .todotxt
        case _ where name.hasSuffix(".ics"): self = .ics
        case _ where name.hasSuffix(".md") || name.hasSuffix(".markdown"): self = .markdown
        case _ where name.hasSuffix(".csv"): self = .csv
        case _ where name.hasSuffix(".json"): self = contents.map(JSONFormat.isDocument) == false ? .taskwarrior : .json
        default: return nil
        }
    }

    /// The maximum size of a file that is imported, in bytes.
    public static let sizeLimit = 512 << 20

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - bytes: the file; a byte order mark is skipped.
    ///   - clock: the present time and the time zone of the user.
    /// - Returns: the todos, and the invalid parts of the file, with line and column.
    public func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        let clock = clock.unchanging
        if let problem = TodoTextReader.encodingProblem(bytes) { return TodoImportFile(problems: [problem]) }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        return switch self {
        case .todotxt: TodoTxtFormat.parse(bytes, clock: clock)
        case .taskwarrior: TaskwarriorFormat.parse(bytes, clock: clock)
        case .ics: ICalendarFormat.parse(bytes, clock: clock)
        case .markdown: MarkdownFormat.parse(bytes, clock: clock)
        case .json: JSONFormat.parse(bytes, clock: clock)
        case .csv:
            TodoImportFile(problems: [TodoImportProblem(line: 1, message: "csv cannot be imported; use json")])
        }
    }

    /// Returns the bytes of a file.
    ///
    /// - Parameters:
    ///   - todos: the todos to write.
    ///   - all: all todos of the store, among which parents are found.
    ///   - clock: the time zone of the user.
    /// - Returns: the bytes.
    public func bytes(_ todos: [Todo], all: [Todo], clock: TodoClock) -> [UInt8] {
        let clock = clock.unchanging
        return switch self {
        case .todotxt: Array(TodoTxtFormat.text(todos, clock: clock).utf8)
        case .taskwarrior: TaskwarriorFormat.bytes(todos, all: all, clock: clock)
        case .ics: ICalendarFormat.bytes(todos, all: all, clock: clock)
        case .markdown: Array(MarkdownFormat.text(todos).utf8)
        case .csv: Array(CSVFormat.text(todos).utf8)
        case .json: JSONFormat.bytes(todos)
        }
    }
}
