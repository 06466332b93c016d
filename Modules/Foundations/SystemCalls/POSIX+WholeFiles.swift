/// Reading and writing until all bytes are transferred: one call may transfer fewer.
extension POSIX {
    /// Writes all bytes at the current position.
    package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
        try transferAll(bytes) { rest, _ throws(SystemError) in try write(descriptor, rest) }
    }

    /// Writes all bytes at a position of a file.
    package static func writeAll(
        _ bytes: UnsafeRawBufferPointer,
        to descriptor: Int32,
        at offset: Int
    ) throws(SystemError) {
        try transferAll(bytes) { rest, done throws(SystemError) in try write(descriptor, rest, at: offset + done) }
    }

    /// Writes all bytes at the current position.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
            try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor)
        }
    }

    /// Writes a text in UTF-8 at the current position.
    package static func writeAll(_ text: String, to descriptor: Int32) throws(SystemError) {
        try writeAll(Array(text.utf8), to: descriptor)
    }

    /// Writes a file, replacing its content; not atomically.
    ///
    /// - Parameters:
    ///   - bytes: the new content.
    ///   - path: the path of the file.
    ///   - permissions: the permissions of a file that is created.
    /// - Throws: the error of the call.
    package static func write(_ bytes: [UInt8], toFile path: String, permissions: UInt16 = 0o644) throws(SystemError) {
        let descriptor = try open(path, O_WRONLY | O_CREAT | O_TRUNC, permissions: permissions)
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor)
    }

    /// Fills a buffer from a position of a file.
    ///
    /// - Returns: the number of bytes read, which is less than the buffer's size only at the end of the file.
    package static func readAll(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(SystemError) -> Int {
        try fillAll(buffer) { rest, done throws(SystemError) in try read(descriptor, into: rest, at: offset + done) }
    }

    /// Reads from the current position to the end of a file or a pipe.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor.
    ///   - limit: the maximum number of bytes; a longer file throws `EFBIG`.
    /// - Returns: the bytes.
    /// - Throws: the error of the call.
    package static func readAll(_ descriptor: Int32, limit: Int = .max) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try piece.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
                try read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
            }
            if count == 0 { return bytes }
            guard bytes.count <= limit - count else { throw SystemError(code: EFBIG, call: "read") }
            bytes += piece[..<count]
        }
    }

    /// Returns the content of a file.
    ///
    /// - Parameters:
    ///   - path: the path of a regular file, a FIFO or a device. It is opened without `O_NONBLOCK`: use this in tools, for
    ///     paths that the user chose.
    ///   - limit: the maximum number of bytes; a longer file throws `EFBIG`.
    /// - Returns: the bytes.
    /// - Throws: the error of the call.
    package static func contents(of path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
        let descriptor = try open(path, O_RDONLY)
        defer { close(descriptor) }
        return try readAll(descriptor, limit: limit)
    }

    /// Calls `transfer` with the rest of the bytes, and the number transferred before, until nothing is left.
    package static func transferAll(
        _ bytes: UnsafeRawBufferPointer,
        _ transfer: (UnsafeRawBufferPointer, Int) throws(SystemError) -> Int
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = try transfer(UnsafeRawBufferPointer(rebasing: bytes[done...]), done)
            // A device that takes nothing, and reports no error, would be tried again without end.
            guard count > 0 else { throw SystemError(code: ENOSPC, call: "write") }
            done += count
        }
    }

    /// Calls `read` with the rest of the buffer, and the number read before, until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes read.
    package static func fillAll(
        _ buffer: UnsafeMutableRawBufferPointer,
        _ read: (UnsafeMutableRawBufferPointer, Int) throws(SystemError) -> Int
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = try read(UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), done)
            if count == 0 { break }
            done += count
        }
        return done
    }
}
