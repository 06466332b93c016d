/// An open file, closed when nobody uses it any more.
package final class OpenFile: Sendable {
    /// The most bytes that are read of a file.
    static let longest = 1 << 31

    /// The number that the system knows it by.
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
        try system.uninterrupted(path) { () throws(SystemFailure) in try system.calls.status(descriptor) }
    }

    /// Reads from `offset` to the end.
    func contents(from offset: Int = 0) throws(LocalError) -> [UInt8] {
        let size = try status().outline.size
        guard size > offset else { return [] }
        // A file with holes may say that it is longer than any memory.
        guard size - offset <= Self.longest else {
            throw .corrupt(path: path, detail: "its \(size) bytes are more than a store's file has")
        }
        var bytes = [UInt8](repeating: 0, count: size - offset)
        // The array's own function passes on no typed errors.
        let filled = try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(LocalError) in try read(into: buffer, at: offset) }
        }.get()
        // Cut by another process meanwhile.
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Reads at `offset` until the buffer is full or the file ends, however many calls that takes.
    ///
    /// - Returns: how many bytes were read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(LocalError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try system.uninterrupted(path) { () throws(SystemFailure) in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return try system.calls.read(descriptor, into: rest, at: offset + filled)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The byte at `offset`; `nil` where the file is not that long.
    func byte(at offset: Int) throws(LocalError) -> UInt8? {
        var byte: UInt8 = 0
        let count = try withUnsafeMutableBytes(of: &byte) { buffer throws(LocalError) in
            try system.uninterrupted(path) { () throws(SystemFailure) in
                try system.calls.read(descriptor, into: buffer, at: offset)
            }
        }
        return count == 1 ? byte : nil
    }

    /// Writes all of `bytes` at `offset`, however many calls that takes.
    package func write(_ bytes: [UInt8], at offset: Int) throws(LocalError) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(LocalError) in try write(buffer, at: offset) }
        }.get()
    }

    /// Writes all of `bytes` at `offset`, however many calls that takes.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LocalError) {
        var written = 0
        while written < bytes.count {
            let count = try system.uninterrupted(path) { () throws(SystemFailure) in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return try system.calls.write(descriptor, rest, at: offset + written)
            }
            guard count > 0 else { throw .full(path: path, errno: SystemFailure.noSpace) }
            written += count
        }
    }

    func truncate(to size: Int) throws(LocalError) {
        try system.uninterrupted(path) { () throws(SystemFailure) in try system.calls.truncate(descriptor, to: size) }
    }

    func synchronise() throws(LocalError) {
        try system.uninterrupted(path) { () throws(SystemFailure) in try system.calls.synchronise(descriptor) }
    }
}
