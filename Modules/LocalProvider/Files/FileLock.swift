#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock between threads and processes: a mutex, then `flock` on a file of its own, which is never replaced, so that the
/// lock outlives every replacement of the data. The system gives it back when its holder dies.
///
/// What its holder guards against other threads besides, it locks after this and gives back before: who waits here for
/// another process must keep nobody from reading.
final class FileLock: @unchecked Sendable {
    let path: String
    /// How long to wait for another process before giving up.
    private let patience: Duration
    private let system: FileSystem
    private let threads = StoreMonitor()
    /// The file as it was opened; of the holder of ``threads``.
    private var opened: (file: OpenFile, outline: FileOutline)?

    init(path: String, patience: Duration, system: FileSystem) {
        self.path = path
        self.patience = patience
        self.system = system
    }

    /// Takes the lock, until ``release()``; makes its file and the folder where they are not there.
    ///
    /// - Throws: ``LocalError/locked(path:)`` where another process has it for too long, or the calling thread already,
    ///   and what opening the file throws.
    func take() throws(LocalError) {
        guard threads.lockUnlessHeldByCaller() else { throw .locked(path: path) }
        do throws(LocalError) {
            try takeFile()
        } catch {
            threads.unlock()
            throw error
        }
    }

    /// Gives the lock back.
    func release() {
        if let opened { system.calls.unlock(opened.file.descriptor) }
        threads.unlock()
    }

    private func takeFile() throws(LocalError) {
        while true {
            let (file, outline) = if let opened { opened } else { try open() }
            opened = (file, outline)
            try wait(for: file)
            do throws(LocalError) {
                // Looked at while it is held: whoever removed the folder meanwhile has made another lock of it.
                if let there = try system.outline(of: path), there.isSameFile(as: outline) { return }
            } catch {
                system.calls.unlock(file.descriptor)
                throw error
            }
            system.calls.unlock(file.descriptor)
            opened = nil
        }
    }

    private func open() throws(LocalError) -> (file: OpenFile, outline: FileOutline) {
        if let file = try system.open(path, .writing) { return (file, try file.status().outline) }
        try system.makeFolders(FileSystem.parent(of: path))
        guard let file = try system.open(path, .writing) else {
            throw .io(path: path, operation: "open", errno: SystemFailure.absent)
        }
        return (file, try file.status().outline)
    }

    /// Waits for the `flock` in short, growing pauses: one that waits by itself could not be given up.
    private func wait(for file: OpenFile) throws(LocalError) {
        let clock = ContinuousClock()
        var start: ContinuousClock.Instant?
        var pause: UInt32 = 20
        while true {
            let isHeld = try system.uninterrupted(path) { () throws(SystemFailure) in
                try system.calls.tryLock(file.descriptor)
            }
            if isHeld { return }
            if let start {
                guard clock.now - start < patience else { throw .locked(path: path) }
            } else {
                start = clock.now
            }
            usleep(pause)
            pause = min(pause * 2, 1_000)
        }
    }
}
