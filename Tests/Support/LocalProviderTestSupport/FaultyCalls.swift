package import LocalProvider
package import SystemCalls
import Threading

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system's calls, of which one, by its number, goes wrong. Nothing is brought to the disk, unless that is asked for: a
/// test's process is never cut from its power, and it would take long.
package final class FaultyCalls: FileCalls {
    package enum Fault: CustomStringConvertible {
        /// Call number `at` fails with an error.
        case failing(at: Int, code: Int32)
        /// All calls from number `from` on fail with an error, as when a disk is gone.
        case broken(from: Int, code: Int32)
        /// Call number `at`, where it writes or reads, does half of it.
        case short(at: Int)
        /// Every write does half of it, and every call is first interrupted.
        case slow
        /// Only counts.
        case none

        package var description: String {
            switch self {
            case .failing(let at, let code): "call \(at) fails with \(code)"
            case .broken(let from, let code): "calls from \(from) on fail with \(code)"
            case .short(let at): "call \(at) does half"
            case .slow: "calls are interrupted and writes short"
            case .none: "nothing fails"
            }
        }
    }

    private struct State {
        var count = 0
        var operations: [String] = []
        var isInterrupted = false
        var fault: Fault
    }

    private let system: any FileCalls
    private let synchronises: Bool
    private let onCall: @Sendable () -> Void
    private let state: Locked<State>

    /// Creates them.
    ///
    /// - Parameters:
    ///   - fault: what goes wrong.
    ///   - system: the calls beneath.
    ///   - synchronises: whether files and folders are brought to the disk.
    ///   - onCall: what happens before each call.
    package init(
        _ fault: Fault,
        over system: any FileCalls = PosixFileCalls(),
        synchronises: Bool = false,
        onCall: @escaping @Sendable () -> Void = {}
    ) {
        state = Locked(State(fault: fault))
        self.system = system
        self.synchronises = synchronises
        self.onCall = onCall
    }

    /// From now on this goes wrong and nothing else.
    package func begin(_ fault: Fault) { state.withLock { $0.fault = fault } }

    /// How many calls there have been.
    package var count: Int { state.withLock { $0.count } }

    /// The names of the calls that there have been, in their order.
    package var operations: [String] { state.withLock { $0.operations } }

    /// Lets ``operations`` begin anew.
    package func forgetOperations() { state.withLock { $0.operations = [] } }

    /// Counts a call and lets it fail, or says whether it is to do only half.
    @discardableResult
    private func step(_ operation: String) throws(SystemError) -> Bool {
        onCall()
        let (number, isInterruption, fault) = state.withLock { state in
            state.count += 1
            state.operations.append(operation)
            state.isInterrupted.toggle()
            return (state.count, state.isInterrupted, state.fault)
        }
        switch fault {
        case .failing(let at, let code) where number == at: throw SystemError(code: code, call: operation)
        case .broken(let from, let code) where number >= from: throw SystemError(code: code, call: operation)
        case .slow where isInterruption: throw SystemError(code: EINTR, call: operation)
        case .short(let at): return number == at
        case .slow: return operation == "write"
        default: return false
        }
    }

    package func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
        try step("open")
        return try system.open(path, mode)
    }

    package func close(_ descriptor: Int32) { system.close(descriptor) }

    package func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(SystemError) -> Int {
        let isHalf = try step("read") && buffer.count > 1
        let part = isHalf ? UnsafeMutableRawBufferPointer(rebasing: buffer[..<(buffer.count / 2)]) : buffer
        return try system.read(descriptor, into: part, at: offset)
    }

    package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError)
        -> Int
    {
        let isHalf: Bool
        do throws(SystemError) {
            isHalf = try step("write") && bytes.count > 1
        } catch {
            // A write that fails has often written something.
            if error.code != EINTR {
                _ = try? system.write(
                    descriptor,
                    UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]),
                    at: offset
                )
            }
            throw error
        }
        let part = isHalf ? UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]) : bytes
        return try system.write(descriptor, part, at: offset)
    }

    package func synchronise(_ descriptor: Int32) throws(SystemError) {
        try step("fdatasync")
        if synchronises { try system.synchronise(descriptor) }
    }

    package func synchroniseFolder(_ descriptor: Int32) throws(SystemError) {
        try step("fsync")
        if synchronises { try system.synchroniseFolder(descriptor) }
    }

    package func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
        try step("ftruncate")
        try system.truncate(descriptor, to: size)
    }

    package func status(_ descriptor: Int32) throws(SystemError) -> FileStatus {
        try step("fstat")
        return try system.status(descriptor)
    }

    package func outline(of path: String) throws(SystemError) -> FileOutline {
        try step("outline")
        return try system.outline(of: path)
    }

    package func status(of path: String) throws(SystemError) -> FileStatus {
        try step("stat")
        return try system.status(of: path)
    }

    package func rename(_ path: String, to target: String) throws(SystemError) {
        try step("rename")
        try system.rename(path, to: target)
    }

    package func link(_ path: String, to target: String) throws(SystemError) {
        try step("link")
        try system.link(path, to: target)
    }

    package func remove(_ path: String) throws(SystemError) {
        try step("unlink")
        try system.remove(path)
    }

    package func makeFolder(_ path: String) throws(SystemError) {
        try step("mkdir")
        try system.makeFolder(path)
    }

    package func list(_ path: String) throws(SystemError) -> [String] {
        try step("opendir")
        return try system.list(path)
    }

    package func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool {
        try step("flock")
        return try system.tryLock(descriptor)
    }

    package func lock(_ descriptor: Int32) throws(SystemError) {
        try step("flock")
        try system.lock(descriptor)
    }

    package func unlock(_ descriptor: Int32) { system.unlock(descriptor) }
}
