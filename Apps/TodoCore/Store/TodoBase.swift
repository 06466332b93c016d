import LocalProvider
import SystemCalls

/// The second journal of a store with many todos, and its index.
///
/// A journal is read completely before it is used, which takes half a second for 100,000 todos. A store therefore moves its
/// todos to a second journal, `todos-base.journal`, when the first one has many, and the first, `todos.journal`, contains
/// what has changed since: new values, and the removal of old ones. Beside the second journal is an index,
/// `todos-base.index`, which finds a todo and prints a list without reading the journal.
///
/// Both journals contain the same mark, a random text that each move changes. The second journal is written first. A crash
/// between the two leaves the moved todos in both, which changes nothing: the first journal takes precedence. An index is
/// used only if it has the mark, the size of the journal and the right checksums; otherwise the journal is read, and the
/// index is written again.
final class TodoBase {
    static let name = "todos-base"

    private let location: FileStoreLocation
    private let journalPath: String
    private let indexPath: String
    private var index: TodoIndex?
    private var journal: JSONDefaults?

    init(location: FileStoreLocation) {
        self.location = location
        journalPath = location.path + "/\(Self.name).journal"
        indexPath = location.path + "/\(Self.name).index"
    }

    /// The todos of the base, or of an index of it.
    enum Source {
        case index(TodoIndex)
        case journal(JSONDefaults, mark: String?)

        var mark: String? {
            switch self {
            case .index(let index): index.mark
            case .journal(_, let mark): mark
            }
        }
    }

    /// Returns where to read the todos that belong to a mark.
    func source(for mark: String) throws(LocalError) -> Source {
        if let index, index.mark == mark { return .index(index) }
        index = TodoIndex(indexPath, journalPath: journalPath)
        if let index, index.mark == mark { return .index(index) }
        return try journalSource()
    }

    /// Returns the journal, after an index was found to be damaged.
    func journalSource() throws(LocalError) -> Source {
        index = nil
        let opened = journal ?? open()
        journal = opened
        return .journal(opened, mark: try Self.mark(of: opened))
    }

    private func open() -> JSONDefaults { JSONDefaults(location: location, name: Self.name) }

    private static func mark(of journal: JSONDefaults) throws(LocalError) -> String? {
        let slots: [TodoSlot] = try journal.values(prefix: TodoSlot.baseKey, reading: TodoSlot.read)
        for case .base(let mark) in slots { return mark }
        return nil
    }

    /// Whether the journal was read, is damaged and cannot be repaired, because it cannot be written.
    var isUnrepaired: Bool { journal?.unrepairedDamage != nil }

    /// The path of the copy of a damaged journal, if there is one.
    var damagedCopy: String? { JSONDefaults.damagedCopy(of: journalPath) }

    var path: String { journalPath }

    /// Reads the todos of the journal, and the errors of those that cannot be decoded, by name.
    static func read(_ journal: JSONDefaults) throws(LocalError) -> (todos: [Todo], failures: [String: LocalError]) {
        let (slots, failures) = try journal.readableValues(prefix: TodoTransaction.todoPrefix, reading: TodoSlot.read)
        var todos: [Todo] = []
        todos.reserveCapacity(slots.count)
        for case .todo(let todo) in slots { todos.append(todo) }
        return (todos, failures)
    }

    // MARK: Writing

    /// Moves the values of the first journal into this one, with a new mark. The first journal is locked.
    ///
    /// - Returns: the mark.
    func append(_ values: [(identifier: String, json: [UInt8])]) throws -> String {
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
        let journal = self.journal ?? open()
        self.journal = journal
        try journal.transaction(durability: .synced) { transaction in
            transaction.reserve(values.count)
            for (identifier, json) in values where identifier != TodoSlot.baseKey {
                if TodoSlot.isRemoval(json) {
                    try transaction.remove(identifier)
                } else {
                    try transaction.set(json: json, for: identifier)
                }
            }
            try transaction.set(TodoSlot.base(mark), for: TodoSlot.baseKey)
        }
        return mark
    }

    /// Removes the todos for good. The first journal has no mark any more.
    func erase() throws(LocalError) {
        guard (try? POSIX.status(of: journalPath)) != nil else { return }
        try (journal ?? open()).removeAll(durability: .synced)
        (journal, index) = (nil, nil)
        try? POSIX.remove(indexPath)
    }

    /// Writes the index of the journal, and forgets the journal, which needs much memory. The first journal is locked, so
    /// that the second does not change. Without space or permission there is no index, which is slower but right.
    ///
    /// - Parameter known: todos with their JSON, which are not parsed if the journal has the same.
    func writeIndex(_ known: [TodoID: (todo: Todo, json: [UInt8])] = [:]) {
        defer {
            journal = nil
            index = nil
        }
        guard let journal = self.journal, let mark = try? Self.mark(of: journal) else { return }
        guard let values = try? journal.reading({ $0.json(prefix: TodoTransaction.todoPrefix) })
        else { return }
        var todos: [(todo: Todo, json: [UInt8])] = []
        todos.reserveCapacity(values.count)
        for value in values where value.identifier != TodoSlot.baseKey {
            let id = TodoID(value.identifier.dropFirst(TodoTransaction.todoPrefix.count))
            if let same = id.flatMap({ known[$0] }), same.json == value.json {
                todos.append(same)
            } else if case .todo(let todo) = TodoSlot.read(value.json) {
                todos.append((todo, value.json))
            } else {
                // A list from the index would not report the todos that cannot be decoded.
                return
            }
        }
        guard let size = try? POSIX.status(of: journalPath).size,
            let sections = TodoIndexFormat.sections(todos, mark: mark, journalSize: size)
        else { return }
        let temporary = indexPath + ".tmp"
        do {
            try? POSIX.remove(temporary)
            let file = try POSIX.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o600)
            defer { POSIX.close(file) }
            for section in sections { try POSIX.writeAll(section, to: file) }
            try POSIX.rename(temporary, to: indexPath)
        } catch {
            try? POSIX.remove(temporary)
        }
    }
}
