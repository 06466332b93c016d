import CalDAV
import Checksums
import EssentialFoundation
package import LocalProvider
import TextEscaping

/// The files of the sync: `sync.journal` with the account, which is small, and `sync-items.journal`, which is read only if there
/// is anything to do.
package struct SyncStore: Sendable {
    private static let accountKey = "account"
    private static let logKey = "log"
    private static let logLimit = 50

    private let small: JSONDefaults
    private let items: JSONDefaults
    /// The path of the file whose lock the running sync holds.
    let lockPath: String

    /// Opens the files of a folder. Nothing is written before an account is stored.
    package init(location: FileStoreLocation, system: FileSystem = FileSystem()) {
        func journal(_ name: String) -> JSONDefaults {
            JSONDefaults(location: location, name: name, options: JSONDefaults.Options(), system: system)
        }
        (small, items) = (journal("sync"), journal("sync-items"))
        lockPath = location.path + "/sync-running.lock"
    }

    // MARK: Account

    /// Returns the account; `nil` if no sync is set up.
    package func account() throws(LocalError) -> SyncAccount? {
        try small.value(for: LocalIdentifier(Self.accountKey), as: SyncAccount.self)
    }

    /// Stores the account. Without one, everything else is removed, too.
    package func setAccount(_ account: SyncAccount?) throws(LocalError) {
        guard let account else {
            try small.removeAll(durability: .synced)
            try items.removeAll(durability: .synced)
            return
        }
        try small.set(account, for: LocalIdentifier(Self.accountKey), rule: .set, durability: .synced)
    }

    /// Returns the last actions, the latest first.
    package func log() throws(LocalError) -> [SyncEvent] {
        try small.value(for: LocalIdentifier(Self.logKey), as: [SyncEvent].self) ?? []
    }

    func add(_ events: [SyncEvent]) throws(LocalError) {
        guard !events.isEmpty else { return }
        let all = Array((events.reversed() + (try log())).prefix(Self.logLimit))
        try small.set(all, for: LocalIdentifier(Self.logKey), rule: .set, durability: nil)
    }

    // MARK: Items

    /// The items of all lists.
    struct Items {
        /// By list, then by UUID.
        var todos: [String: [UUID: SyncItem]] = [:]
        var foreign: [String: [CalDAVHref: SyncForeign]] = [:]
        /// The identifiers of those that cannot be read.
        var unreadable: [String] = []

        /// The lists of those that cannot be read.
        var damagedLists: Set<String> {
            Set(unreadable.map { String($0.split(separator: "/", omittingEmptySubsequences: false)[1]) })
        }

        /// The ETags of a list. An object of which it is not known whether the server has it has none.
        func known(_ list: String) -> [CalDAVHref: String] {
            var known: [CalDAVHref: String] = [:]
            for item in (todos[list] ?? [:]).values where item.etag != nil { known[item.href] = item.etag }
            for object in (foreign[list] ?? [:]).values { known[object.href] = object.etag }
            return known
        }

        /// The item of a todo that any list has.
        func item(_ uuid: UUID) -> SyncItem? { todos.values.lazy.compactMap { $0[uuid] }.first }

        /// The UID of a todo that any list has.
        func uid(_ uuid: UUID) -> String? { todos.values.lazy.compactMap { $0[uuid]?.uid }.first }
    }

    func readItems() throws(LocalError) -> Items {
        var result = Items()
        let (todos, foreign) = try items.reading { transaction throws(LocalError) in
            // The decoder needs several times as long.
            (
                transaction.readableValues(prefix: "item/", reading: SyncItem.parse),
                transaction.readableValues(prefix: "foreign/") { _ in SyncForeign?.none }
            )
        }
        for item in todos.values { result.todos[item.list, default: [:]][item.uuid] = item }
        for object in foreign.values { result.foreign[object.list, default: [:]][object.href] = object }
        result.unreadable = Array(todos.failures.keys) + Array(foreign.failures.keys)
        return result
    }

    /// A change of the items.
    enum Change {
        case set(SyncItem)
        case remove(SyncItem)
        case setForeign(SyncForeign)
        case removeForeign(SyncForeign)
        case removeUnreadable(String)
    }

    func apply(_ changes: [Change]) throws(LocalError) {
        guard !changes.isEmpty else { return }
        do {
            try items.transaction { transaction in
                for change in changes {
                    switch change {
                    case .set(let item): try transaction.set(item, for: Self.key(item))
                    case .remove(let item): try transaction.remove(Self.key(item))
                    case .setForeign(let object): try transaction.set(object, for: Self.key(object))
                    case .removeForeign(let object): try transaction.remove(Self.key(object))
                    case .removeUnreadable(let identifier): try transaction.remove(identifier)
                    }
                }
            }
        } catch let error as LocalError {
            throw error
        } catch {
            throw .io(path: items.path, operation: "write", errno: 0)
        }
    }

    /// Removes the items of a list.
    func removeItems(of list: String) throws(LocalError) {
        let items = try readItems()
        try apply((items.todos[list] ?? [:]).values.map(Change.remove))
        try apply((items.foreign[list] ?? [:]).values.map(Change.removeForeign))
    }

    private static func key(_ item: SyncItem) -> String { "item/\(item.list)/\(item.uuid.uuidString)" }

    private static func key(_ object: SyncForeign) -> String {
        let digest = SHA256.digest(of: Array(object.href.path.utf8)).prefix(12)
        return "foreign/\(object.list)/" + Hexadecimal.string(of: digest)
    }
}
