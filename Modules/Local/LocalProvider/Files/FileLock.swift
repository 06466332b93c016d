import SystemCalls
import Threading

/// A lock between threads and processes: a mutex, and then `flock` on a dedicated file.
///
/// The lock file is never replaced, so that the lock is independent of every replacement of the data. The system releases
/// the lock when its holder dies. Waiting processes get the lock in turn (see ``FileCalls/lock(_:)``).
///
/// Mutexes that the holder needs besides are locked after this lock and unlocked before it: a thread that waits here for
/// another process must not block threads that only read.
///
/// The file also contains the reserve: bytes whose space is released when the disk is full, so that values can still be
/// removed. The first part of it is never released, since a ``JournalPatch`` is stored there.
final class FileLock: @unchecked Sendable {
    /// The size of the reserve in bytes.
    static let reserveSize = 32_768
    /// The size of the part that is not released.
    static let patchSize = 8_192

    let path: String
    /// The time limit for waiting for another process.
    private let timeLimit: Duration
    private let system: FileSystem
    private let threads = Monitor()
    /// The open lock file; accessed by the holder of ``threads``.
    private var opened: (file: OpenFile, status: POSIX.Status, size: Int)?
    /// The thread that waits for the lock, also after an attempt that has timed out; accessed by the holder of ``threads``.
    private var waiter: Waiter?
    /// The number of calls of ``fillReserve()`` to skip after one that found no space.
    private var skippedFills = 0

    init(path: String, timeLimit: Duration, system: FileSystem) {
        (self.path, self.timeLimit, self.system) = (path, timeLimit, system)
    }

    /// Acquires the lock; creates its file and the folder if they do not exist. ``release()`` must follow.
    ///
    /// - Throws: ``LocalError/locked(path:)`` if another process holds the lock beyond the time limit, or if the calling
    ///   thread holds it; and the errors of opening the file.
    func acquire() throws(LocalError) {
        guard threads.lockUnlessHeldByCaller() else { throw .locked(path: path) }
        do throws(LocalError) {
            try acquireFile()
        } catch {
            threads.unlock()
            throw error
        }
    }

    /// Releases the lock.
    func release() {
        if let opened { system.calls.unlock(opened.file.descriptor) }
        threads.unlock()
    }

    private func acquireFile() throws(LocalError) {
        while true {
            // Another file may be the lock since a thread has begun to wait: that thread ends when it gets the old one.
            if waiter != nil, let opened, try system.outline(of: path)?.isSameFile(as: opened.status) != true {
                (self.opened, waiter) = (nil, nil)
            }
            let (file, status, size) = if let opened { opened } else { try open() }
            opened = (file, status, size)
            try wait(for: file)
            do throws(LocalError) {
                // Checked while the lock is held: if the folder was removed since, another file is the lock now.
                if let present = try system.outline(of: path), present.isSameFile(as: status) { return }
            } catch {
                system.calls.unlock(file.descriptor)
                throw error
            }
            system.calls.unlock(file.descriptor)
            opened = nil
        }
    }

    private func open() throws(LocalError) -> (file: OpenFile, status: POSIX.Status, size: Int) {
        var file = try system.open(path, .writing)
        if file == nil {
            try system.makeFolders(FileSystem.parent(of: path))
            file = try system.open(path, .writing)
        }
        guard let file else { throw .io(path: path, operation: "open", errno: SystemError.absent) }
        let status = try file.status()
        return (file, status, status.size)
    }

    // MARK: Waiting

    private func wait(for file: OpenFile) throws(LocalError) {
        if waiter?.resume() != true {
            let isLocked = try system.located(path) { () throws(SystemError) in
                try system.calls.tryLock(file.descriptor)
            }
            waiter = nil
            if isLocked { return }
            guard timeLimit > .zero else { throw .locked(path: path) }
            waiter = try Waiter(file, system)
        }
        guard let result = waiter?.result(within: timeLimit) else { throw .locked(path: path) }
        waiter = nil
        try result.get()
    }

    /// A thread that waits for the lock. It cannot be interrupted: after an attempt that has timed out, it still waits, and the
    /// next attempt waits for the same thread.
    private final class Waiter: @unchecked Sendable {
        private let monitor = Monitor()
        private var result: Result<Void, LocalError>?
        private var isAwaited = true

        init(_ file: OpenFile, _ system: FileSystem) throws(LocalError) {
            try system.located(file.path) { () throws(SystemError) in
                try SystemThread.detach { self.run(file, system) }
            }
        }

        private func run(_ file: OpenFile, _ system: FileSystem) {
            let result = Result { () throws(LocalError) in
                try system.located(file.path) { () throws(SystemError) in try system.calls.lock(file.descriptor) }
            }
            monitor.locked {
                self.result = result
                if !isAwaited, case .success = result { system.calls.unlock(file.descriptor) }
                monitor.wakeAll()
            }
        }

        /// Begins the next attempt; returns false if the thread has ended before it.
        func resume() -> Bool {
            monitor.locked {
                isAwaited = result == nil
                return isAwaited
            }
        }

        /// Returns the result of the thread, or `nil` after the time limit; until the next attempt, the
        /// thread then releases the lock when it gets it.
        func result(within limit: Duration) -> Result<Void, LocalError>? {
            let end = ContinuousClock.now + limit
            return monitor.locked {
                while result == nil {
                    let rest = end - .now
                    guard rest > .zero else {
                        isAwaited = false
                        return nil
                    }
                    monitor.wait(atMost: rest)
                }
                return result
            }
        }
    }

    // MARK: Reserve

    /// Writes the reserve, if it is not there. The lock is held. Without space, only the first part is there afterwards.
    func fillReserve() {
        guard let opened, opened.size < Self.reserveSize else { return }
        guard skippedFills == 0 else { return skippedFills -= 1 }
        let isFilled: Void? = try? fill(Self.reserveSize)
        if isFilled == nil { skippedFills = 100 }
    }

    /// Writes the first part of the reserve, if it is not there. The lock is held.
    ///
    /// - Parameter path: the path of the store, for the error.
    /// - Throws: ``LocalError/full(path:errno:)`` if there is no space.
    func fillPatchSpace(for path: String) throws(LocalError) {
        guard let opened, opened.size < Self.patchSize else { return }
        do {
            try fill(Self.patchSize)
        } catch {
            // Other faults of the lock file do not concern the data.
            guard case .full(_, let errno) = error else { return }
            throw .full(path: path, errno: errno)
        }
    }

    private func fill(_ size: Int) throws(LocalError) {
        guard let (file, _, old) = opened else { return }
        do {
            try file.write([UInt8](repeating: 0, count: size - old), at: old)
            opened?.size = size
        } catch {
            try? file.truncate(to: old)
            throw error
        }
    }

    /// Releases the space of the reserve behind the first part. The lock is held.
    ///
    /// - Returns: whether there was any.
    func releaseReserve() -> Bool {
        guard let file = opened?.file, let size = try? file.status().size, size > Self.patchSize else {
            return false
        }
        opened?.size = Self.patchSize
        let isReleased: Void? = try? file.truncate(to: Self.patchSize)
        return isReleased != nil
    }

    /// Stores the bytes of a patch durably in the reserve. The lock is held.
    ///
    /// - Returns: false if there is no space for them.
    func storePatch(_ bytes: [UInt8]) throws(LocalError) -> Bool {
        guard let file = opened?.file else { return false }
        do {
            try file.write(bytes, at: 0)
            try file.synchronise()
            return true
        } catch {
            guard case .full = error else { throw error }
            return false
        }
    }

    /// Returns the bytes of the reserve, which may begin with a patch. The lock is held.
    func storedPatch() -> [UInt8]? { try? opened?.file.contents() }
}
