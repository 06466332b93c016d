import SystemCalls

/// An open file, closed when its last reference is released.
package final class OpenFile: Sendable {
    /// The maximum number of bytes read from a file.
    static let longest = 1 << 31

    /// The file descriptor.
    package let descriptor: Int32
    package let path: String
    private let system: FileSystem

    init(descriptor: Int32, path: String, system: FileSystem) {
        (self.descriptor, self.path, self.system) = (descriptor, path, system)
    }

    deinit { system.calls.close(descriptor) }

    func status() throws(LocalError) -> POSIX.Status {
        try system.located(path) { () throws(SystemError) in try system.calls.status(descriptor) }
    }

    /// Reads from `offset` to the end.
    func contents(from offset: Int = 0) throws(LocalError) -> [UInt8] {
        let size = try status().size
        guard size > offset else { return [] }
        // A sparse file may report a size larger than the memory.
        guard size - offset <= Self.longest else {
            throw .corrupt(path: path, detail: "its \(size) bytes are more than a file of a store can have")
        }
        return try bytes(size - offset, at: offset)
    }

    /// Returns `count` bytes from `offset`, or fewer if the file ends before.
    func bytes(_ count: Int, at offset: Int) throws(LocalError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try bytes.withUnsafeMutableBufferPointer { buffer throws(LocalError) in
            try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
        // Another process may have truncated the file since.
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Reads at `offset` until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(LocalError) -> Int {
        try system.located(path) { () throws(SystemError) in
            try POSIX.fillAll(buffer) { rest, done throws(SystemError) in
                try system.calls.read(descriptor, into: rest, at: offset + done)
            }
        }
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: [UInt8], at offset: Int) throws(LocalError) {
        try bytes.withUnsafeBufferPointer { buffer throws(LocalError) in
            try write(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LocalError) {
        try system.located(path) { () throws(SystemError) in
            try POSIX.transferAll(bytes) { rest, done throws(SystemError) in
                try system.calls.write(descriptor, rest, at: offset + done)
            }
        }
    }

    func truncate(to size: Int) throws(LocalError) {
        try system.located(path) { () throws(SystemError) in try system.calls.truncate(descriptor, to: size) }
    }

    func synchronise() throws(LocalError) {
        try system.located(path) { () throws(SystemError) in try system.calls.synchronise(descriptor) }
    }
}
