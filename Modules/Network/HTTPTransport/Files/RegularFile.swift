package import EssentialFoundation
import SystemCalls
package import Threading

/// A file that is read from any offset. The calls may block, for as long as the file system does not respond.
package protocol ReadableFile: Sendable {
    /// The number of bytes when the file was opened.
    var size: Int64 { get }

    /// Fills a buffer from an offset.
    /// - Returns: the number of bytes read; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(RegularFile.Failure) -> Int
}

extension ReadableFile {
    /// Returns up to `count` bytes from an offset; empty at the end of the file.
    package func read(_ count: Int, at offset: Int64) throws(RegularFile.Failure) -> Data {
        var data = Data(count: count)
        let result = data.withUnsafeMutableBytes { buffer -> Result<Int, RegularFile.Failure> in
            do throws(RegularFile.Failure) { return .success(try read(into: buffer, at: offset)) } catch {
                return .failure(error)
            }
        }
        return data.prefix(try result.get())
    }
}

/// The bytes of a file in blocks, from the beginning to its size when it was opened. Each block is read outside the
/// cooperative threads.
package struct FileBlocks: AsyncSequence, Sendable {
    /// The maximum size of a block.
    package static let blockSize: Int64 = 256 << 10

    private let file: any ReadableFile
    private let threads: ThreadCache?

    /// Creates the blocks of a file.
    /// - Parameters:
    ///   - file: the file.
    ///   - threads: the threads on which the blocks are read; nil for a new thread for each block.
    package init(of file: any ReadableFile, on threads: ThreadCache? = nil) {
        self.file = file
        self.threads = threads
    }

    /// Begins with the first block.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file, threads: threads) }

    /// Reads the blocks in order.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let file: any ReadableFile
        fileprivate let threads: ThreadCache?
        private var offset: Int64 = 0

        fileprivate init(file: any ReadableFile, threads: ThreadCache?) {
            self.file = file
            self.threads = threads
        }

        /// Returns the next block; nil at the end, also of a file that has become shorter.
        package mutating func next() async throws -> Data? {
            let (file, offset) = (file, offset)
            let count = Int(Swift.min(FileBlocks.blockSize, file.size - offset))
            guard count > 0 else { return nil }
            let block = try await BlockingCalls.run(on: threads) { try file.read(count, at: offset) }
            self.offset += Int64(block.count)
            return block.isEmpty ? nil : block
        }
    }
}

/// An open regular file.
///
/// A FIFO, a socket, a device or a directory is refused when it is opened, and opening a FIFO does not wait for a writer.
/// The calls still block while the file system does not respond: call them through `BlockingCalls` in an asynchronous
/// function.
package final class RegularFile: ReadableFile {
    /// A file that cannot be opened or read.
    package struct Failure: Error, CustomStringConvertible {
        /// The reason, such as `Permission denied`.
        package let description: String
        /// The error number of the call that failed; 0 if none did.
        package let code: Int32

        fileprivate init(_ error: SystemError) {
            description = SystemError.message(of: error.code)
            code = error.code
        }

        fileprivate init(_ description: String) {
            self.description = description
            code = 0
        }
    }

    private let descriptor: Int32
    /// The number of bytes when the file was opened.
    package let size: Int64

    /// Opens a file for reading.
    package init(path: String) throws(Failure) {
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a FIFO waits for a writer. It has no effect on a regular file.
            descriptor = try POSIX.open(path, O_RDONLY | O_NONBLOCK)
        } catch {
            throw Failure(error)
        }
        let status: POSIX.Status
        do throws(SystemError) {
            status = try POSIX.status(descriptor)
        } catch {
            POSIX.close(descriptor)
            throw Failure(error)
        }
        guard status.kind == .regular else {
            POSIX.close(descriptor)
            throw Failure(RegularFile.refusal(of: status.kind))
        }
        size = Int64(status.size)
    }

    deinit { POSIX.close(descriptor) }

    /// Fills a buffer from an offset.
    /// - Returns: the number of bytes read; 0 at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Failure) -> Int {
        do throws(SystemError) {
            return try POSIX.read(descriptor, into: buffer, at: Int(offset))
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the whole content.
    /// - Throws: a failure also if the file has more than `limit` bytes.
    package func readAll(upTo limit: Int) throws(Failure) -> Data {
        var data = Data()
        while true {
            let piece = try read(min(1 << 20, max(4_096, Int(clamping: size) + 1)), at: Int64(data.count))
            guard !piece.isEmpty else { return data }
            guard data.count + piece.count <= limit else { throw Failure("it has more than \(limit) bytes") }
            data.append(piece)
        }
    }

    private static func refusal(of kind: POSIX.FileKind) -> String {
        switch kind {
        case .folder: "it is a directory"
        case .fifo: "it is a FIFO, not a regular file; send its contents as a stream"
        case .regular, .link, .other: "it is not a regular file"
        }
    }
}
