/// Calls a handler, on a thread of its own, whenever something in a folder changes.
///
/// Linux tells by inotify and Apple platforms by kqueue, within some tens of microseconds. Elsewhere, and where the system
/// has no more of these to give, the handler is called every 50 milliseconds instead and has to look for itself; so it is
/// while the folder is not there, or another has taken its place. Neither tells that a file system has been mounted over the
/// folder, or what other machines do on one that they share.
final class FolderWatcher: Sendable {
    /// What has changed: names in the folder, or, where that is not known, `nil`.
    typealias Handler = @Sendable (Set<String>?) -> Void

    private let thread: PollingThread

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - folder: the folder's path.
    ///   - handler: called from the watcher's thread as long as the watcher lives.
    convenience init(_ folder: String, _ handler: @escaping Handler) {
        self.init(Self.systemEvents(folder), handler)
    }

    /// Begins to watch by the events given; where there are none, by looking again and again.
    init(_ events: (any FolderEvents)?, _ handler: @escaping Handler) {
        guard let events else {
            thread = PollingThread([], every: { 50 }, onEvent: { _ in handler(nil) }, onEnd: {})
            return
        }
        thread = PollingThread(
            [PollingThread.Source(descriptor: events.descriptor)],
            // Whether the folder is still the one at its path is looked at once a second where one above it may not be watched.
            every: { events.isLost ? 50 : events.tellsOfLoss ? -1 : 1_000 },
            onEvent: { source in
                var names: Set<String>? = []
                if source != nil { names = events.take() } else if !events.isLost { events.check() }
                guard events.isLost else {
                    // Of the folders above, what does not matter; or nothing at all.
                    if names?.isEmpty != true { handler(names) }
                    return
                }
                // Listen first, then let look: nothing falls between.
                events.renew()
                handler(nil)
            },
            onEnd: { events.close() }
        )
    }
}

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
