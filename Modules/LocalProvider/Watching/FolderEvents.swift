/// What a system tells of changes in a folder. All but ``descriptor`` is of the thread that waits for it.
protocol FolderEvents: Sendable {
    /// A descriptor that `poll` finds readable when something has changed.
    var descriptor: Int32 { get }

    /// Takes all that has been told so far: the names in the folder that have changed, or `nil` where the system does not
    /// say which, or has lost some.
    func take() -> Set<String>?

    /// Whether the folder is not the one at its path any more, or was never there: nothing is told until ``renew()``.
    var isLost: Bool { get }

    /// Whether the system tells when the folder is lost; where not, ``check()`` has to be called now and then.
    var tellsOfLoss: Bool { get }

    /// Finds out whether the folder is lost where the system does not tell.
    func check()

    /// Looks for the folder at its path, and listens to it where it is there.
    func renew()

    /// Gives everything back; no other call may follow.
    func close()
}

extension FolderWatcher {
    /// The events of a folder as the system tells them; `nil` where it does not, or has no more to give.
    static func systemEvents(_ folder: String) -> (any FolderEvents)? {
        #if canImport(Darwin)
            return KqueueEvents(folder)
        #elseif os(Linux)
            return InotifyEvents(folder)
        #else
            return nil
        #endif
    }
}
