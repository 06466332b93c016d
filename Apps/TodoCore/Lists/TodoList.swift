import TextEscaping

/// A list of todos, such as a calendar on a server. Todos without a list are local.
public struct TodoList: Hashable, Sendable, Codable {
    /// The name, which todos refer to.
    public var name: String
    /// The colour as `#rrggbb`.
    public var color: String?
    /// Whether its todos are synced with a server.
    public var isSynced: Bool
    /// Whether the server allows no changes.
    public var isReadOnly: Bool
    /// What the sync calls it, whatever its name; `nil` for a local list.
    package var syncID: String?

    /// Creates a list.
    package init(
        name: String,
        color: String? = nil,
        isSynced: Bool = false,
        isReadOnly: Bool = false,
        syncID: String? = nil
    ) {
        (self.name, self.color, self.isSynced, self.isReadOnly) = (name, color, isSynced, isReadOnly)
        self.syncID = syncID
    }

    /// The maximum length of a name in characters.
    public static let nameLimit = 100

    /// Returns the name that a text denotes: one line without spaces at its ends.
    ///
    /// - Throws: ``TodoListError/invalidName(_:)`` for an empty or too long one, and one with control characters.
    package static func name(_ text: String) throws(TodoListError) -> String {
        let name = text.trimmed
        guard !name.isEmpty, name.count <= nameLimit, !name.containsControls, name.lowercased() != "none"
        else { throw .invalidName(text) }
        return name
    }

    /// The name as one word, in which spaces and percent signs are encoded.
    package static func word(_ name: String) -> String {
        name.map { $0.isWhitespace || $0 == "%" ? $0.utf8.map { "%" + hexadecimal($0) }.joined() : String($0) }.joined()
    }

    /// Returns the name that a word denotes; `nil` if no list can have it.
    package static func name(ofWord word: some StringProtocol) -> String? {
        try? name(PercentEncoding.decode(String(word)))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        Hexadecimal.string(of: UInt32(byte), digits: 2, uppercase: true)
    }
}

/// An error of a change of the lists.
public enum TodoListError: Error, Sendable, CustomStringConvertible {
    /// No list can have the name.
    case invalidName(String)
    /// There is no list of the name; a similar one may have been meant.
    case notFound(name: String, nearest: String?)
    /// There is a list of the name.
    case exists(name: String)
    /// The list is synced, and is changed on its server.
    case isSynced(name: String)
    /// The store failed.
    case store(TodoError)

    /// What failed, and what to do about it.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "\(name.quoted(limit: 40)) cannot be the name of a list; it has 1 to \(TodoList.nameLimit) characters, no "
                + "control characters, and is not \"none\""
        case .notFound(let name, let nearest):
            "there is no list \(name.quoted()); "
                + (nearest.map { "did you mean \($0.quoted())?" } ?? "`lists add \(name.quoted())` adds it")
        case .exists(let name): "there is a list \(name.quoted()); choose another name"
        case .isSynced(let name):
            "the list \(name.quoted()) is synced; rename or remove it on its server, or end the sync first by `sync rm`"
        case .store(let error): error.description
        }
    }
}

/// A list with the number of its todos.
public struct TodoListSummary: Hashable, Sendable {
    /// The list; `nil` for the todos without one.
    public let list: TodoList?
    /// The number of open todos that are not archived.
    public let open: Int
    /// The number of all todos.
    public let total: Int
}

/// A store of lists.
public protocol TodoListStoring: Sendable {
    /// Returns the lists by name: those that were added, and those that todos name.
    func lists() async throws(TodoListError) -> [TodoList]

    /// Adds an empty list.
    func addList(named name: String) async throws(TodoListError) -> TodoList

    /// Renames a list that is not synced. Its todos, also those in the history, belong to the renamed one.
    func renameList(_ name: String, to new: String) async throws(TodoListError) -> TodoList

    /// Removes a list that is not synced. Its todos become local, as a change that can be undone.
    ///
    /// - Returns: the number of its todos.
    func removeList(_ name: String) async throws(TodoListError) -> Int
}

/// A store without lists.
extension TodoListStoring {
    public func lists() async throws(TodoListError) -> [TodoList] { [] }

    public func addList(named name: String) async throws(TodoListError) -> TodoList { throw .invalidName(name) }

    public func renameList(_ name: String, to new: String) async throws(TodoListError) -> TodoList {
        throw .notFound(name: name, nearest: nil)
    }

    public func removeList(_ name: String) async throws(TodoListError) -> Int {
        throw .notFound(name: name, nearest: nil)
    }
}

extension TodoStoring {
    /// Returns the list of a name as it is typed, in any case.
    ///
    /// - Throws: ``TodoListError/notFound(name:nearest:)``.
    package func list(named name: String) async throws(TodoListError) -> TodoList {
        let lists = try await lists()
        if let list = lists.first(where: { $0.name == name }) { return list }
        let same = lists.filter { $0.name.lowercased() == name.lowercased() }
        if let list = same.first, same.count == 1 { return list }
        throw .notFound(name: name, nearest: NearestName.of(name, among: lists.map(\.name)))
    }

    /// Returns the lists with their numbers of todos, first the local one.
    package func listSummaries() async throws(TodoListError) -> [TodoListSummary] {
        let all: [Todo]
        do throws(TodoError) { all = try await todos() } catch { throw .store(error) }
        let todos = Dictionary(grouping: all, by: \.list)
        func summary(_ list: TodoList?) -> TodoListSummary {
            let todos = todos[list?.name] ?? []
            let open = todos.count { !$0.isDone && !$0.isArchived }
            return TodoListSummary(list: list, open: open, total: todos.count)
        }
        return [summary(nil)] + (try await lists()).map { summary($0) }
    }
}
