/// Synchronises the writes of several threads with one `fdatasync`: while one thread synchronises, the others append, and
/// the next synchronisation covers them all.
final class GroupCommit: @unchecked Sendable {
    private let monitor = StoreMonitor()
    /// The number of appends, and the number of those that are durable.
    private var appended = 0
    private var synced = 0
    private var isSynchronising = false
    private var file: OpenFile?
    /// The error of a synchronisation that failed, until a new file replaces the one concerned.
    private var failure: LocalError?

    /// Records that `file` has bytes that may not be durable, and returns the number to wait for.
    func noteAppend(to file: OpenFile) -> Int {
        monitor.lock()
        defer { monitor.unlock() }
        self.file = file
        appended += 1
        return appended
    }

    /// The number of the last append.
    var lastAppend: Int {
        monitor.lock()
        defer { monitor.unlock() }
        return appended
    }

    /// Records that everything appended so far is durable, in a new file.
    func noteReplacement() {
        monitor.lock()
        defer { monitor.unlock() }
        synced = max(synced, appended)
        failure = nil
        monitor.wakeAll()
    }

    /// Whether a synchronisation failed. The system may have discarded the bytes then: they must be written again.
    var hasFailed: Bool {
        monitor.lock()
        defer { monitor.unlock() }
        return failure != nil
    }

    /// Returns when the append `number` and all before it are durable.
    ///
    /// - Throws: the error of the synchronisation that covered it, or of an earlier one: the system reports a failure only
    ///   once, and a later synchronisation succeeds although earlier bytes may be lost.
    func wait(for number: Int) throws(LocalError) {
        monitor.lock()
        defer { monitor.unlock() }
        while synced < number {
            if let failure { throw failure }
            if isSynchronising {
                monitor.wait()
                continue
            }
            guard let file else { return }
            isSynchronising = true
            let covered = appended
            monitor.unlock()
            let result = Result { () throws(LocalError) in try file.synchronise() }
            monitor.lock()
            isSynchronising = false
            switch result {
            case .success: synced = max(synced, covered)
            // If a new file has replaced the old one meanwhile, the old one does not matter.
            case .failure(let error): if synced < covered { failure = error }
            }
            monitor.wakeAll()
        }
    }
}
