/// Lets writes that wait for the disk at the same time share one `fdatasync`: while one of them synchronises, the
/// others append, and the next synchronisation covers them all.
final class GroupCommit: @unchecked Sendable {
    private let monitor = StoreMonitor()
    /// How many appends there have been, and how many of them the disk has.
    private var appended = 0
    private var synced = 0
    private var isSynchronising = false
    private var file: OpenFile?
    /// Why a synchronisation failed, until a new file stands in for what it was to bring to the disk.
    private var failure: LocalError?

    /// Notes that `file` holds bytes that may not be on the disk yet, and returns the number to wait for.
    func noteAppend(to file: OpenFile) -> Int {
        monitor.lock()
        defer { monitor.unlock() }
        self.file = file
        appended += 1
        return appended
    }

    /// The number of the last append: waiting for it waits for everything before.
    var lastAppend: Int {
        monitor.lock()
        defer { monitor.unlock() }
        return appended
    }

    /// Notes that everything appended so far is on the disk, in a new file.
    func noteReplacement() {
        monitor.lock()
        defer { monitor.unlock() }
        synced = max(synced, appended)
        failure = nil
        monitor.wakeAll()
    }

    /// Whether a synchronisation failed, after which the system may have dropped the bytes: only writing them anew helps.
    var hasFailed: Bool {
        monitor.lock()
        defer { monitor.unlock() }
        return failure != nil
    }

    /// Returns when the disk has the append `number` and all before it.
    ///
    /// - Throws: the error of the synchronisation that was to cover it, or of an earlier one: the system tells of a failure
    ///   once, and a later synchronisation succeeds although the bytes before it may be nowhere.
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
            // Where a new file took the old one's place meanwhile, the old one does not matter.
            case .failure(let error): if synced < covered { failure = error }
            }
            monitor.wakeAll()
        }
    }
}
