import SystemCalls

/// A lock between processes that holds during a sync. The system releases it when its process ends.
struct SyncLock: ~Copyable {
    let descriptor: Int32

    /// Acquires the lock; `nil` if another sync holds it, or if its file cannot be created.
    init?(path: String) {
        guard let descriptor = try? POSIX.open(path, O_RDWR | O_CREAT | O_NOFOLLOW) else { return nil }
        guard let isLocked = try? POSIX.tryLock(descriptor), isLocked else {
            POSIX.close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    /// Unlocks and closes: a process that is being started has a copy of the descriptor until it runs its program, and
    /// closing alone would leave the lock with it.
    deinit {
        POSIX.unlock(descriptor)
        POSIX.close(descriptor)
    }
}
