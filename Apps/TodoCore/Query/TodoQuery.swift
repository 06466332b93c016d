package import AppLanguage

/// A search for todos, such as `+home (milk or bread) due<fri pri:A..C not is:waiting`.
///
/// Terms that follow one another must all match; `and` may be written between them. `not` binds closest, then `and`, then
/// `or`; brackets group. The terms:
///
/// | Term | Matches |
/// |---|---|
/// | `milk`, `"oat milk"` | the title, the note, a project, a context or a label contains the text |
/// | `title:milk`, `note:milk` | that field contains the text |
/// | `+home` | the project or a part of it, such as `+home.kitchen`; `+ho*` one that begins with the text; also `project:` |
/// | `@shop`, `#cheap` | a context, a label begins with the text; also `context:`, `tag:` |
/// | `list:work` | the list has the name |
/// | `pri:A`, `pri:A..C` | the priority, or one of the range |
/// | `due:fri`, `due<fri`, `due<=`, `due>`, `due>=`, `due:mon..fri` | the due day; also `t`, `created`, `modified`, `done` |
/// | `due:none`, `due:any` | without or with that value; also `pri`, `project`, `context`, `tag`, `list`, `note`, `rec`, `parent` |
/// | `is:open` | and `done`, `overdue`, `waiting`, `archived`, `recurring`, `subtask`, `blocked`, `blocking`, `active` |
/// | `id:k7f`, `parent:k7f` | the ID, or that of the parent, begins with the text |
///
/// Case is ignored, and so is whether a letter is composed or in parts, as Hangul of file names can be. Dates are those of
/// ``DatePhrase``; several words are quoted: `due:"next fri"`.
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

    /// What a query names, of which a list then hides nothing by default.
    struct Mentions: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let completion = Mentions(rawValue: 1)
        static let archived = Mentions(rawValue: 2)
        static let waiting = Mentions(rawValue: 4)
        /// Something that changes with the time.
        static let time = Mentions(rawValue: 8)
    }

    let root: Node
    let mentions: Mentions

    init(root: Node) {
        self.root = root
        mentions = root.mentions
    }

    /// Creates the query that matches every todo.
    public init() { self.init(root: .all([])) }

    /// Parses a query.
    ///
    /// - Parameters:
    ///   - text: the text; an empty one matches every todo.
    ///   - today: the day that relative dates and `is:overdue` count from.
    ///   - time: the present time, for todos that are overdue since a time of the present day; `nil` compares days alone.
    ///   - zone: the time zone in which days begin, for `created`, `modified` and `done`.
    ///   - firstWeekday: the day with which weeks begin, 0 for Monday to 6 for Sunday.
    /// - Throws: ``TodoQueryError`` with the position of what is invalid.
    public init(
        parsing text: String,
        today: Day,
        time: TimeOfDay? = nil,
        zone: Zone = .system,
        firstWeekday: Int = 0
    ) throws(TodoQueryError) {
        var parser = try TodoQueryParser(text, today: today, time: time, zone: zone, firstWeekday: firstWeekday)
        self.init(root: try parser.parse())
    }

    /// Creates the query for words that must all be found, whatever they look like.
    public init(words text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map { Node.term(.text(TodoRow.folded($0))) }
        self.init(root: .all(words))
    }

    /// Returns the query for those of its todos that belong to a list; `nil` for the local ones.
    package func restricted(toList name: String?) -> TodoQuery {
        let list: Node = name.map { .term(.list(TodoRow.folded($0))) } ?? .not(.term(.label(.list, [])))
        return TodoQuery(root: isEmpty ? list : .all([root, list]))
    }

    /// Whether the query asks for overdue todos, so that its result changes with the time.
    public var dependsOnTime: Bool { mentions.contains(.time) }

    /// Whether the query matches every todo.
    public var isEmpty: Bool { root == .all([]) }

    /// Whether a todo matches.
    public func matches(_ todo: Todo) -> Bool { root.matches(todo) }
}

extension TodoQuery.Node {
    /// Whether a todo matches.
    func matches(_ todo: Todo) -> Bool {
        !TodoRows(CollectionOfOne(todo), isStore: false).indices(matching: self).isEmpty
    }

    /// Excludes the rows that do not match.
    ///
    /// The loops over the rows are inside those over the parts, which takes a third of the time of the reverse.
    ///
    /// - Parameters:
    ///   - mask: whether each row is included.
    ///   - rows: the rows.
    ///   - texts: the texts of all rows.
    ///   - isInOrder: whether the texts are in the order of the rows, without gaps.
    func narrow(
        _ mask: inout [Bool],
        _ rows: UnsafeBufferPointer<TodoRow>,
        _ texts: UnsafeRawBufferPointer,
        isInOrder: Bool
    ) {
        switch self {
        case .all(let parts):
            // Texts are searched last, in few rows.
            for part in parts.filter({ !$0.readsTexts }) + parts.filter(\.readsTexts) {
                part.narrow(&mask, rows, texts, isInOrder: isInOrder)
            }
        case .any(let parts):
            var rest = mask
            for part in parts { Self.not(part).narrow(&rest, rows, texts, isInOrder: isInOrder) }
            for index in mask.indices where rest[index] { mask[index] = false }
        case .not(let part):
            var matching = mask
            part.narrow(&matching, rows, texts, isInOrder: isInOrder)
            for index in mask.indices where matching[index] { mask[index] = false }
        case .term(let term): term.narrow(&mask, rows, texts, isInOrder: isInOrder)
        }
    }

    /// Whether the result depends on the texts of todos.
    var readsTexts: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains(where: \.readsTexts)
        case .not(let part): part.readsTexts
        case .term(.text), .term(.field), .term(.label), .term(.project), .term(.list): true
        case .term: false
        }
    }

    fileprivate var mentions: TodoQuery.Mentions {
        switch self {
        case .all(let parts), .any(let parts): parts.reduce([]) { $0.union($1.mentions) }
        case .not(let part): part.mentions
        case .term(.flag(.done)), .term(.time(.completed, _)): .completion
        case .term(.flag(.archived)): .archived
        case .term(.overdue): [.completion, .time]
        case .term(.waiting), .term(.threshold): .waiting
        case .term(.id): [.completion, .archived, .waiting]
        default: []
        }
    }
}

/// The error of a query, with the position of what is invalid.
public struct TodoQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The query.
    public let query: String
    /// The position of the fault in characters, counted from 1.
    public let column: Int
    /// What is wrong, and what would be right, in the languages of the screens.
    package let text: LocalizedText

    /// What is wrong, and what would be right.
    public var message: String { text.english }

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
