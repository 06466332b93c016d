#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock between processes: `flock` on a file of its own, which is never replaced, so that the lock outlives every
/// replacement of the data. The system gives it back when its holder dies.
struct FileLock: Sendable {
    let path: String
    /// How long to wait for another process before giving up.
    let patience: Duration
    let system: FileSystem

    /// The lock while it is held; letting go of it gives it back.
    final class Holding: Sendable {
        private let file: OpenFile
        private let system: FileSystem

        init(_ file: OpenFile, _ system: FileSystem) {
            self.file = file
            self.system = system
        }

        deinit {
            system.calls.unlock(file.descriptor)
        }
    }

    /// Opens the lock file, making its folder where that is not there.
    func open() throws(LocalError) -> OpenFile {
        if let file = try system.open(path, .writing) { return file }
        try system.makeFolders(FileSystem.parent(of: path))
        guard let file = try system.open(path, .writing) else {
            throw .io(path: path, operation: "open", errno: SystemFailure.absent)
        }
        return file
    }

    /// Takes the lock with a file that ``open()`` gave.
    ///
    /// Tried again in short, growing pauses: a waiting `flock` could not be given up.
    func hold(_ file: OpenFile) throws(LocalError) -> Holding {
        let clock = ContinuousClock()
        var start: ContinuousClock.Instant?
        var pause: UInt32 = 20
        while true {
            let isHeld = try system.uninterrupted(path) { () throws(SystemFailure) in
                try system.calls.tryLock(file.descriptor)
            }
            if isHeld { return Holding(file, system) }
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
