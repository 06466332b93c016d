/// What a system tells of changes in a folder.
protocol FolderEvents: Sendable {
    /// A descriptor that `poll` finds readable when something has changed.
    var descriptor: Int32 { get }

    /// Takes all that has been told so far: the names in the folder that have changed, or `nil` where the system does not
    /// say which, or has lost some.
    func take() -> Set<String>?

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
