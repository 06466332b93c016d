package import LocalProvider
package import SystemCalls
import Threading

/// Calls, the system's or others, of which one kind fails on demand.
package final class RefusingCalls<Calls: FileCalls>: ForwardedCalls {
    /// The kind that fails.
    package enum Kind: Sendable {
        case openingForWriting, linking, listing, synchronising, synchronisingFolders
    }

    package let system: Calls
    private let kind: Kind
    private let state: Locked<(isRefusing: Bool, refusals: Int)>

    package init(_ kind: Kind, of system: Calls, isRefusing: Bool = false) {
        (self.kind, self.system, state) = (kind, system, Locked((isRefusing, 0)))
    }

    package convenience init(_ kind: Kind, isRefusing: Bool = false) where Calls == PosixFileCalls {
        self.init(kind, of: PosixFileCalls(), isRefusing: isRefusing)
    }

    package var isRefusing: Bool {
        get { state.withLock { $0.isRefusing } }
        set { state.withLock { $0.isRefusing = newValue } }
    }

    /// The number of calls that have failed.
    package var refusals: Int { state.withLock { $0.refusals } }

    private func check(_ kind: Kind, _ call: String, _ code: Int32) throws(SystemError) {
        guard kind == self.kind, isRefusing else { return }
        state.withLock { $0.refusals += 1 }
        throw SystemError(code: code, call: call)
    }

    package func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
        if mode == .writing || mode == .creating { try check(.openingForWriting, "open", EACCES) }
        return try system.open(path, mode)
    }

    /// As on a file system that has no second names.
    package func link(_ path: String, to target: String) throws(SystemError) {
        try check(.linking, "link", EPERM)
        try system.link(path, to: target)
    }

    package func list(_ path: String) throws(SystemError) -> [String] {
        try check(.listing, "opendir", EIO)
        return try system.list(path)
    }

    package func synchronise(_ descriptor: Int32) throws(SystemError) {
        try check(.synchronising, "fdatasync", EIO)
        try system.synchronise(descriptor)
    }

    package func synchroniseFolder(_ descriptor: Int32) throws(SystemError) {
        try check(.synchronisingFolders, "fsync", EIO)
        try system.synchroniseFolder(descriptor)
    }
}
