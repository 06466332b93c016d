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

/// Walks through a form's bytes, one piece at a time.
actor MultipartWalker {
    private var parts: ArraySlice<(head: Data, content: MultipartForm.Part.Content)>
    private var tail: Data?
    private var next: [Data] = []
    private var file: FileReader?
    private var stream: (any AsyncIteratorProtocol<Data, any Error>)?

    init(_ parts: [(head: Data, content: MultipartForm.Part.Content)], tail: Data) {
        self.parts = parts[...]
        self.tail = tail
    }

    func next() async throws -> Data? {
        while true {
            if !next.isEmpty { return next.removeFirst() }
            if let file {
                if let piece = try file.next() { return piece }
                self.file = nil
                return Data("\r\n".utf8)
            }
            if var stream {
                self.stream = nil
                let piece = try await stream.next(isolation: self)
                guard let piece else { return Data("\r\n".utf8) }
                self.stream = stream
                return piece
            }
            guard let part = parts.popFirst() else {
                defer { tail = nil }
                return tail
            }
            switch part.content {
            case .data(let data): next = [data, Data("\r\n".utf8)]
            case .file(let path): file = try FileReader(path)
            case .stream(let body): stream = body.makePieces().makeAsyncIterator()
            }
            return part.head
        }
    }
}

/// Reads a file in pieces.
package final class FileReader {
    private let descriptor: Int32
    private let path: String

    package init(_ path: String) throws(MultipartError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw .unreadableFile(path: path, code: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next 64 KiB; nil at the end.
    package func next() throws(MultipartError) -> Data? {
        var piece = Data(count: 65_536)
        var count: Int
        repeat {
            count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw .unreadableFile(path: path, code: errno) }
        return count == 0 ? nil : piece.prefix(count)
    }

    /// The size of the regular file at a path.
    static func size(of path: String) throws(MultipartError) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadableFile(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadableFile(path: path, code: EISDIR) }
        return Int64(status.st_size)
    }
}
