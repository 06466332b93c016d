/// A search for todos, such as `+home (milk or bread) due<fri pri:A..C not is:waiting`.
///
/// Terms that follow one another must all match; `and` may be written between them. `not` binds closest, then `and`, then
/// `or`; brackets group. The terms:
///
/// | Term | Matches |
/// |---|---|
/// | `milk`, `"oat milk"` | the title, the note, a project, a context or a label contains the text |
/// | `title:milk`, `note:milk` | that field contains the text |
/// | `+home`, `@shop`, `#cheap` | a project, a context, a label begins with the text; also `project:`, `context:`, `tag:` |
/// | `pri:A`, `pri:A..C` | the priority, or one of the range |
/// | `due:fri`, `due<fri`, `due<=`, `due>`, `due>=`, `due:mon..fri` | the due day; also `t`, `created`, `modified`, `done` |
/// | `due:none`, `due:any` | without or with that value; also `pri`, `project`, `context`, `tag`, `note`, `rec`, `parent` |
/// | `is:open` | and `done`, `overdue`, `waiting`, `archived`, `recurring`, `subtask` |
/// | `id:k7f`, `parent:k7f` | the ID, or that of the parent, begins with the text |
///
/// Case is ignored. Dates are those of ``DatePhrase``; several words are quoted: `due:"next fri"`.
public struct TodoQuery: Hashable, Sendable {
    /// A part of a query.
    indirect enum Node: Hashable, Sendable {
        /// All parts match; an empty list matches every todo.
        case all([Node])
        /// One part matches.
        case any([Node])
        case not(Node)
        case term(TodoQueryTerm)
    }

    let root: Node
    /// The states that the query names, of which a list then hides none by default.
    let mentioned: Set<TodoQueryTerm.State>

    init(root: Node) {
        self.root = root
        var mentioned: Set<TodoQueryTerm.State> = []
        Self.collect(root, &mentioned)
        self.mentioned = mentioned
    }

    /// Creates the query that matches every todo.
    public init() {
        self.init(root: .all([]))
    }

    /// Parses a query.
    ///
    /// - Parameters:
    ///   - text: the text; an empty one matches every todo.
    ///   - today: the day that relative dates and `is:overdue` count from.
    ///   - time: the present time, for todos that are overdue since a time of the present day; `nil` compares days alone.
    ///   - zone: the time zone in which days begin, for `created`, `modified` and `done`.
    /// - Throws: ``TodoQueryError`` with the position of what is invalid.
    public init(
        parsing text: String,
        today: Day,
        time: TimeOfDay? = nil,
        zone: Zone = .system
    ) throws(TodoQueryError) {
        var parser = try TodoQueryParser(text, today: today, time: time, zone: zone)
        self.init(root: try parser.parse())
    }

    /// Creates the query for words that must all be found, whatever they look like.
    public init(words text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map { Node.term(.text(.any, String($0).lowercased())) }
        self.init(root: .all(words))
    }

    /// Whether the query asks for overdue todos, so that its result changes with the time.
    public var dependsOnTime: Bool { mentioned.contains(.overdue) }

    /// Whether the query matches every todo.
    public var isEmpty: Bool { root == .all([]) }

    /// Whether a todo matches.
    public func matches(_ todo: Todo) -> Bool { Self.matches(root, todo) }

    private static func matches(_ node: Node, _ todo: Todo) -> Bool {
        switch node {
        case .all(let parts): parts.allSatisfy { matches($0, todo) }
        case .any(let parts): parts.contains { matches($0, todo) }
        case .not(let part): !matches(part, todo)
        case .term(let term): term.matches(todo)
        }
    }

    private static func collect(_ node: Node, _ states: inout Set<TodoQueryTerm.State>) {
        switch node {
        case .all(let parts), .any(let parts): for part in parts { collect(part, &states) }
        case .not(let part): collect(part, &states)
        case .term(.state(let state, _, _)): states.insert(state)
        case .term(.time(.completed, _)), .term(.presence(.completed, _)): states.insert(.done)
        case .term(.date(.threshold, _)), .term(.presence(.threshold, _)): states.insert(.waiting)
        case .term(.name(.id, _)): states.formUnion([.done, .archived, .waiting])
        default: break
        }
    }
}

/// The error of a query, with the position of what is invalid.
public struct TodoQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The query.
    public let query: String
    /// The position of the fault in characters, counted from 1.
    public let column: Int
    /// What is wrong, and what would be right.
    public let message: String

    /// The message with the column.
    public var description: String { "column \(column): \(message)" }

    /// The query with a caret under the fault, and the message: three lines.
    public var diagram: String {
        let before = query.prefix(column - 1)
        // A Hangul syllable takes two columns of a terminal.
        let width = before.unicodeScalars.reduce(0) { $0 + ((0x1100...0xFFDC).contains($1.value) ? 2 : 1) }
        return "\(query)\n\(String(repeating: " ", count: width))^\n\(message)"
    }
}
