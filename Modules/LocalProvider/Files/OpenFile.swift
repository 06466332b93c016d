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
        self.descriptor = descriptor
        self.path = path
        self.system = system
    }

    deinit {
        system.calls.close(descriptor)
    }

    func status() throws(LocalError) -> FileStatus {
        try system.uninterrupted(path) { () throws(SystemError) in try system.calls.status(descriptor) }
    }

    /// Reads from `offset` to the end.
    func contents(from offset: Int = 0) throws(LocalError) -> [UInt8] {
        let size = try status().outline.size
        guard size > offset else { return [] }
        // A sparse file may report a size larger than the memory.
        guard size - offset <= Self.longest else {
            throw .corrupt(path: path, detail: "its \(size) bytes are more than a file of a store can have")
        }
        var bytes = [UInt8](repeating: 0, count: size - offset)
        // The function of the array does not pass on typed errors.
        let filled = try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(LocalError) in try read(into: buffer, at: offset) }
        }.get()
        // Another process may have truncated the file meanwhile.
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Reads at `offset` until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(LocalError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try system.uninterrupted(path) { () throws(SystemError) in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return try system.calls.read(descriptor, into: rest, at: offset + filled)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Returns the byte at `offset`, or `nil` beyond the end of the file.
    func byte(at offset: Int) throws(LocalError) -> UInt8? {
        var byte: UInt8 = 0
        let count = try withUnsafeMutableBytes(of: &byte) { buffer throws(LocalError) in
            try system.uninterrupted(path) { () throws(SystemError) in
                try system.calls.read(descriptor, into: buffer, at: offset)
            }
        }
        return count == 1 ? byte : nil
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: [UInt8], at offset: Int) throws(LocalError) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(LocalError) in try write(buffer, at: offset) }
        }.get()
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LocalError) {
        var written = 0
        while written < bytes.count {
            let count = try system.uninterrupted(path) { () throws(SystemError) in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return try system.calls.write(descriptor, rest, at: offset + written)
            }
            guard count > 0 else { throw .full(path: path, errno: SystemError.noSpace) }
            written += count
        }
    }

    func truncate(to size: Int) throws(LocalError) {
        try system.uninterrupted(path) { () throws(SystemError) in try system.calls.truncate(descriptor, to: size) }
    }

    func synchronise() throws(LocalError) {
        try system.uninterrupted(path) { () throws(SystemError) in try system.calls.synchronise(descriptor) }
    }
}
