import LocalProvider
import RIBs

/// Stores where the user was, so that the screen and its drafts are restored after the process was killed.
protocol ScreenStateStoring: Sendable {
    /// Returns the stored state; `nil` if it is missing or cannot be read.
    func load() async -> RouterSnapshot?

    /// Stores a state. A state that cannot be stored is lost silently: it is a convenience, not data of the user.
    func save(_ snapshot: RouterSnapshot) async

    /// Removes the stored state, when the user quits.
    func remove() async
}

/// The states of the running programs, each in a file of the app's folder. They contain the texts of drafts, never a password
/// or a code.
///
/// Several programs can use one folder. Each stores its own record, and the first start after a kill takes over the
/// record of a program that is gone. An actor, so that a removal follows the saves that were requested before it.
actor LocalScreenState: ScreenStateStoring {
    private static let prefix = "screen"

    private let local: LocalProvider
    private let process: Int32
    private let begin: @Sendable () -> Void
    private let isRunning: @Sendable (Int32) -> Bool

    /// Creates a store over a provider for this process, with the file of the ``ProcessLocks``.
    init(local: LocalProvider, locks: String) {
        let locks = ProcessLocks(path: locks)
        self.init(local: local, process: RunningProcess.current, begin: locks.acquire, isRunning: locks.isHeld(by:))
    }

    /// Creates a store over a provider for a process. A closure is called before and after a record is stored, so that others know
    /// that the process is running.
    init(
        local: LocalProvider,
        process: Int32,
        begin: @escaping @Sendable () -> Void = {},
        isRunning: @escaping @Sendable (Int32) -> Bool
    ) {
        (self.local, self.process, self.begin, self.isRunning) = (local, process, begin, isRunning)
    }

    private static func key(_ identifier: String) -> LocalKey<RouterSnapshot> {
        LocalKey(identifier, of: RouterSnapshot.self, in: .propertyList)
    }

    private var key: LocalKey<RouterSnapshot> { Self.key("\(Self.prefix)-\(process)") }

    func load() -> RouterSnapshot? {
        begin()
        let own = key.identifier
        // The place of this process first: the screens are built anew while it runs.
        let identifiers = ((try? local.identifiers(in: .propertyList)) ?? []).sorted {
            $1 != own && ($0 == own || $0 < $1)
        }
        for identifier in identifiers where isAbandoned(identifier) {
            let key = Self.key(identifier)
            let snapshot = try? local.read(key)
            // Of several programs that start at the same time, one removes it.
            guard (try? local.delete(key)) == true, let snapshot else { continue }
            save(snapshot)
            return snapshot
        }
        return nil
    }

    /// Whether a record is that of a program that is gone, or of a version that had one record for all.
    private func isAbandoned(_ identifier: String) -> Bool {
        if identifier == Self.prefix { return true }
        guard identifier.hasPrefix(Self.prefix + "-"), let id = Int32(identifier.dropFirst(Self.prefix.count + 1))
        else { return false }
        return id == process || !isRunning(id)
    }

    func save(_ snapshot: RouterSnapshot) {
        _ = try? local.set(key, to: snapshot)
        // Before, a new folder did not exist.
        begin()
    }

    func remove() { _ = try? local.delete(key) }
}
