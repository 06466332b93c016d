package import LocalProvider
package import SystemCalls
import Threading

/// The system's calls, of which one, by its number, fails. Nothing is synchronised by default: the tests do not cut the
/// power, and it would take long.
package final class FaultyCalls: FileCalls {
    package enum Fault: CustomStringConvertible {
        /// Call number `at` fails with an error.
        case failing(at: Int, code: Int32)
        /// All calls from number `from` on fail with an error, as when a disk is gone.
        case broken(from: Int, code: Int32)
        /// Call number `at`, if it reads or writes, transfers half of the bytes.
        case short(at: Int)
        /// Every read and write transfers half of the bytes.
        case slow
        /// Only counts.
        case none

        package var description: String {
            switch self {
            case .failing(let at, let code): "call \(at) fails with \(code)"
            case .broken(let from, let code): "calls from \(from) on fail with \(code)"
            case .short(let at): "call \(at) does half"
            case .slow: "reads and writes are short"
            case .none: "nothing fails"
            }
        }
    }

    private struct State {
        var count = 0
        var operations: [String] = []
        var fault: Fault
    }

    private let system: any FileCalls
    private let synchronises: Bool
    private let onCall: @Sendable () -> Void
    private let state: Locked<State>

    /// Creates the calls.
    ///
    /// - Parameters:
    ///   - fault: the fault.
    ///   - system: the calls that are made.
    ///   - synchronises: whether files and folders are synchronised.
    ///   - onCall: called before each call.
    package init(
        _ fault: Fault,
        over system: any FileCalls = PosixFileCalls(),
        synchronises: Bool = false,
        onCall: @escaping @Sendable () -> Void = {}
    ) {
        state = Locked(State(fault: fault))
        (self.system, self.synchronises, self.onCall) = (system, synchronises, onCall)
    }

    /// Replaces the fault.
    package func begin(_ fault: Fault) { state.withLock { $0.fault = fault } }

    /// The number of calls.
    package var count: Int { state.withLock { $0.count } }

    /// The names of the calls, in their order.
    package var operations: [String] { state.withLock { $0.operations } }

    /// Empties ``operations``.
    package func forgetOperations() { state.withLock { $0.operations = [] } }

    /// Counts a call; throws if it fails, and returns whether it transfers only half.
    @discardableResult
    private func step(_ operation: String) throws(SystemError) -> Bool {
        onCall()
        let (number, fault) = state.withLock { state in
            state.count += 1
            state.operations.append(operation)
            return (state.count, state.fault)
        }
        switch fault {
        case .failing(let at, let code) where number == at: throw SystemError(code: code, call: operation)
        case .broken(let from, let code) where number >= from: throw SystemError(code: code, call: operation)
        case .short(let at): return number == at
        case .slow: return true
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
            // A failing write has often written something.
            let part = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)])
            _ = try? system.write(descriptor, part, at: offset)
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

    package func status(_ descriptor: Int32) throws(SystemError) -> POSIX.Status {
        try step("fstat")
        return try system.status(descriptor)
    }

    package func outline(of path: String) throws(SystemError) -> POSIX.Status {
        try step("outline")
        return try system.outline(of: path)
    }

    package func status(of path: String) throws(SystemError) -> POSIX.Status {
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
