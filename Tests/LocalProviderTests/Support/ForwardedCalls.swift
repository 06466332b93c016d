import LocalProvider

/// Calls that are passed on, the system's unless said otherwise: for fakes that change some of them.
protocol ForwardedCalls: FileCalls {
    associatedtype Calls: FileCalls = PosixFileCalls
    /// Where they are passed on to.
    var system: Calls { get }
}

extension ForwardedCalls where Calls == PosixFileCalls {
    var system: PosixFileCalls { PosixFileCalls() }
}

extension ForwardedCalls {

    func open(_ path: String, _ mode: FileOpening) throws(SystemFailure) -> Int32 { try system.open(path, mode) }
    func close(_ descriptor: Int32) { system.close(descriptor) }
    func read(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
        try system.read(file, into: buffer, at: offset)
    }
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
        try system.write(descriptor, bytes, at: offset)
    }
    func synchronise(_ descriptor: Int32) throws(SystemFailure) { try system.synchronise(descriptor) }
    func synchroniseFolder(_ descriptor: Int32) throws(SystemFailure) { try system.synchroniseFolder(descriptor) }
    func truncate(_ descriptor: Int32, to size: Int) throws(SystemFailure) { try system.truncate(descriptor, to: size) }
    func status(_ descriptor: Int32) throws(SystemFailure) -> FileStatus { try system.status(descriptor) }
    func outline(of path: String) throws(SystemFailure) -> FileOutline { try system.outline(of: path) }
    func status(of path: String) throws(SystemFailure) -> FileStatus { try system.status(of: path) }
    func rename(_ path: String, to target: String) throws(SystemFailure) { try system.rename(path, to: target) }
    func link(_ path: String, to target: String) throws(SystemFailure) { try system.link(path, to: target) }
    func remove(_ path: String) throws(SystemFailure) { try system.remove(path) }
    func makeFolder(_ path: String) throws(SystemFailure) { try system.makeFolder(path) }
    func list(_ path: String) throws(SystemFailure) -> [String] { try system.list(path) }
    func tryLock(_ descriptor: Int32) throws(SystemFailure) -> Bool { try system.tryLock(descriptor) }
    func unlock(_ descriptor: Int32) { system.unlock(descriptor) }
}
