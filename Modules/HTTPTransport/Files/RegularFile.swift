#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open regular file that is read from any offset.
///
/// A FIFO, a socket, a device or a directory is refused when it is opened, and opening a FIFO does not wait for a writer.
/// The calls still block while the file system does not respond: use ``BlockingCalls`` for them in an asynchronous
/// function.
package final class RegularFile: Sendable {
    /// A file that cannot be opened or read.
    package struct Failure: Error, CustomStringConvertible {
        /// The reason, in words.
        package let description: String
        /// The error number of the call that failed; 0 if none did.
        package let number: Int32

        fileprivate init(number: Int32) {
            description = String(cString: strerror(number))
            self.number = number
        }

        fileprivate init(_ description: String) {
            self.description = description
            number = 0
        }
    }

    private let descriptor: Int32
    /// The number of bytes when the file was opened.
    package let size: Int64

    /// Opens a file for reading.
    package init(path: String) throws(Failure) {
        // Without O_NONBLOCK, opening a FIFO waits for a writer. It has no effect on a regular file.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw Failure(number: number)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure(RegularFile.refusal(mode: status.st_mode))
        }
        self.descriptor = descriptor
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Fills `buffer` from an offset and returns the number of bytes read; 0 at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Failure) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw Failure(number: errno) }
        }
    }

    /// Returns up to `count` bytes from an offset; empty at the end of the file.
    package func read(_ count: Int, at offset: Int64) throws(Failure) -> Data {
        var data = Data(count: count)
        let result = data.withUnsafeMutableBytes { buffer -> Result<Int, Failure> in
            Result { () throws(Failure) in try read(into: buffer, at: offset) }
        }
        return data.prefix(try result.get())
    }

    /// Returns the whole contents.
    /// - Throws: a failure as well if the file has more than `limit` bytes.
    package func readAll(upTo limit: Int) throws(Failure) -> Data {
        var data = Data()
        while true {
            let piece = try read(min(1 << 20, max(4_096, Int(clamping: size) + 1)), at: Int64(data.count))
            guard !piece.isEmpty else { return data }
            guard data.count + piece.count <= limit else { throw Failure("it has more than \(limit) bytes") }
            data.append(piece)
        }
    }

    private static func refusal(mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "it is a directory"
        case S_IFIFO: "it is a FIFO, not a regular file; send its contents as a stream"
        case S_IFSOCK: "it is a socket, not a regular file"
        default: "it is a device, not a regular file"
        }
    }
}
