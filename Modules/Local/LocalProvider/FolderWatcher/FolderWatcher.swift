/// Calls a handler on a dedicated thread whenever something in a folder changes.
///
/// Linux reports changes by inotify and Apple platforms by kqueue, within some tens of microseconds. On other
/// platforms, and if the system has no more such resources, the handler is called every 50 milliseconds and has to
/// compare for itself; also while the folder does not exist, or another one has replaced it. Neither reports that a
/// file system was mounted over the folder, or changes by other machines on a shared file system.
final class FolderWatcher: Sendable {
    /// The changes: names in the folder, or `nil` if they are unknown.
    typealias Handler = @Sendable (Set<String>?) -> Void

    private let thread: PollingThread

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder.
    ///   - handler: called on the thread of the watcher until the watcher is released.
    convenience init(_ folder: String, _ handler: @escaping Handler) {
        self.init(Self.systemEvents(folder), handler)
    }

    /// Starts to watch the given events; without events, the handler is called at intervals.
    init(_ events: (any FolderEvents)?, _ handler: @escaping Handler) {
        guard let events else {
            thread = PollingThread([], every: { 50 }, onEvent: { _ in handler(nil) }, onEnd: {})
            return
        }
        thread = PollingThread(
            [PollingThread.Source(descriptor: events.descriptor)],
            // The path is checked once a second if a folder above may not be watched.
            every: { events.isLost ? 50 : events.reportsLoss ? -1 : 1_000 },
            onEvent: { source in
                var names: Set<String>? = []
                if source != nil { names = events.take() } else if !events.isLost { events.check() }
                guard events.isLost else {
                    // Events of the folders above may be irrelevant.
                    if names?.isEmpty != true { handler(names) }
                    return
                }
                // The folder is watched before the handler compares, so that nothing is missed.
                events.renew()
                handler(nil)
            },
            onEnd: { events.close() }
        )
    }
}

/// The changes of a folder as a system reports them. All but ``descriptor`` is used only by the thread that waits for
/// them.
protocol FolderEvents: Sendable {
    /// A descriptor that is readable when something has changed.
    var descriptor: Int32 { get }

    /// Returns the names that have changed, or `nil` if the system does not report names or has lost some.
    func take() -> Set<String>?

    /// Whether the path leads to another folder or to none: nothing is reported until ``renew()``.
    var isLost: Bool { get }

    /// Whether the system reports that the folder is lost; otherwise ``check()`` must be called at intervals.
    var reportsLoss: Bool { get }

    /// Determines whether the folder is lost, if the system does not report it.
    func check()

    /// Watches the folder at the path, if it exists.
    func renew()

    /// Releases all resources; no other call may follow.
    func close()
}

extension FolderWatcher {
    /// Returns the events of a folder, or `nil` if the system does not report any or has no resources left.
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
