import Threading

/// Synchronises the writes of several threads with one `fdatasync`: while one thread synchronises, the others append, and
/// the next synchronisation covers them all.
final class GroupCommit: @unchecked Sendable {
    /// The number of an append, and the file with its bytes.
    typealias Position = (append: Int, file: OpenFile?)

    private let monitor = Monitor()
    /// The number of appends, and the number of those that are durable.
    private var appended = 0
    private var synced = 0
    /// The number of appends to files that another process has replaced. The name of the new file may not be durable, so that
    /// the bytes must be durable in the old file.
    private var appendedBefore = 0
    private var isSynchronising = false
    private var file: OpenFile?
    /// The error of a synchronisation that failed, until a new file replaces the one concerned.
    private var failure: LocalError?

    /// Records that `file` has bytes that may not be durable.
    func noteAppend(to file: OpenFile) {
        monitor.locked {
            if let old = self.file, old !== file { appendedBefore = appended }
            self.file = file
            appended += 1
        }
    }

    /// The last append.
    var position: Position { monitor.locked { (appended, file) } }

    /// Records that everything appended so far is durable, in a new file.
    func noteReplacement() {
        monitor.locked {
            synced = max(synced, appended)
            (failure, file, appendedBefore) = (nil, nil, 0)
            monitor.wakeAll()
        }
    }

    /// Whether a synchronisation failed. The system may have discarded the bytes then: they must be written again.
    var hasFailed: Bool { monitor.locked { failure != nil } }

    /// Returns when an append and all before it are durable.
    ///
    /// - Throws: the error of the synchronisation that covered it, or of an earlier one: the system reports a failure only
    ///   once, and a later synchronisation succeeds although earlier bytes may be lost.
    func wait(for position: Position) throws(LocalError) {
        let number = position.append
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
            // If this process has written a new file since, the old one does not matter.
            case .failure(let error): if synced < covered { failure = error }
            }
            monitor.wakeAll()
        }
        if number <= appendedBefore { try position.file?.synchronise() }
    }
}
