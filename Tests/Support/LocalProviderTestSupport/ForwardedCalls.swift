package import LocalProvider
package import SystemCalls

/// Calls that are passed on, the system's unless said otherwise: for fakes that change some of them.
package protocol ForwardedCalls: FileCalls {
    associatedtype Calls: FileCalls = PosixFileCalls
    /// Where they are passed on to.
    var system: Calls { get }
}

extension ForwardedCalls where Calls == PosixFileCalls {
    package var system: PosixFileCalls { PosixFileCalls() }
}

extension ForwardedCalls {

    package func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
        try system.open(path, mode)
    }
    package func close(_ descriptor: Int32) { system.close(descriptor) }
    package func read(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError)
        -> Int
    {
        try system.read(file, into: buffer, at: offset)
    }
    package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError)
        -> Int
    {
        try system.write(descriptor, bytes, at: offset)
    }
    package func synchronise(_ descriptor: Int32) throws(SystemError) { try system.synchronise(descriptor) }
    package func synchroniseFolder(_ descriptor: Int32) throws(SystemError) {
        try system.synchroniseFolder(descriptor)
    }
    package func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
        try system.truncate(descriptor, to: size)
    }
    package func status(_ descriptor: Int32) throws(SystemError) -> POSIX.Status { try system.status(descriptor) }
    package func outline(of path: String) throws(SystemError) -> POSIX.Status { try system.outline(of: path) }
    package func status(of path: String) throws(SystemError) -> POSIX.Status { try system.status(of: path) }
    package func rename(_ path: String, to target: String) throws(SystemError) { try system.rename(path, to: target) }
    package func link(_ path: String, to target: String) throws(SystemError) { try system.link(path, to: target) }
    package func remove(_ path: String) throws(SystemError) { try system.remove(path) }
    package func makeFolder(_ path: String) throws(SystemError) { try system.makeFolder(path) }
    package func list(_ path: String) throws(SystemError) -> [String] { try system.list(path) }
    package func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool { try system.tryLock(descriptor) }
    package func lock(_ descriptor: Int32) throws(SystemError) { try system.lock(descriptor) }
    package func unlock(_ descriptor: Int32) { system.unlock(descriptor) }
}
