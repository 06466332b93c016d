import LocalProvider
import LocalProviderTestSupport
import SystemCalls
import Threading

/// The system's calls, before one of which, by its number, the process is killed as by `kill -9`.
///
/// Only calls that change something count. Nothing is synchronised, since the machine does not lose its power.
final class KillingCalls: ForwardedCalls {
    private let end: Int
    private let count = Locked(0)

    init(before end: Int) { self.end = end }

    private func step() {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == end { kill(getpid(), SIGKILL) }
    }

    func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
        if mode == .creating || mode == .writing { step() }
        return try system.open(path, mode)
    }
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        step()
        // Half of it, so that a kill before the next call leaves a file cut short.
        let half = UnsafeRawBufferPointer(rebasing: bytes[..<max(1, bytes.count / 2)])
        return try system.write(descriptor, half, at: offset)
    }
    func synchronise(_ descriptor: Int32) throws(SystemError) {}
    func synchroniseFolder(_ descriptor: Int32) throws(SystemError) {}
    func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
        step()
        try system.truncate(descriptor, to: size)
    }
    func rename(_ path: String, to target: String) throws(SystemError) {
        step()
        try system.rename(path, to: target)
    }
    func link(_ path: String, to target: String) throws(SystemError) {
        step()
        try system.link(path, to: target)
    }
    func remove(_ path: String) throws(SystemError) {
        step()
        try system.remove(path)
    }
    func makeFolder(_ path: String) throws(SystemError) {
        step()
        try system.makeFolder(path)
    }
}
