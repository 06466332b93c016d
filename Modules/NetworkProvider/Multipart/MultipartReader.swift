import Threading

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Reads the bytes of a form, one piece at a time. Files are read outside the cooperative threads.
actor MultipartReader {
    private let threads = ThreadCache()
    private var parts: ArraySlice<(head: Data, content: MultipartForm.Part.Content)>
    private var tail: Data?
    private var pieces: [Data] = []
    private var file: FileReader?
    private var stream: (any AsyncIteratorProtocol<Data, any Error>)?

    init(_ parts: [(head: Data, content: MultipartForm.Part.Content)], tail: Data) {
        self.parts = parts[...]
        self.tail = tail
    }

    func next() async throws -> Data? {
        while true {
            if !pieces.isEmpty { return pieces.removeFirst() }
            if let reader = file {
                let (piece, rest) = try await BlockingCalls.run(on: threads) {
                    var reader = reader
                    return (try reader.next(), reader)
                }
                file = piece == nil ? nil : rest
                return piece ?? Data("\r\n".utf8)
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
            case .data(let data): pieces = [data, Data("\r\n".utf8)]
            case .file(let path): file = try await BlockingCalls.run(on: threads) { try FileReader(path) }
            case .stream(let body): stream = body.makePieces().makeAsyncIterator()
            }
            return part.head
        }
    }
}

/// Reads a regular file in pieces, from the beginning to the end. The calls may block: use `BlockingCalls`.
package struct FileReader: Sendable {
    private let path: String
    private let file: RegularFile
    private var offset: Int64 = 0

    /// Opens a file; anything but a regular file is refused without waiting for it.
    package init(_ path: String) throws(MultipartError) {
        self.path = path
        do throws(RegularFile.Failure) {
            file = try RegularFile(path: path)
        } catch {
            throw .unreadableFile(path: path, reason: error.description)
        }
    }

    /// The file's size when it was opened, in bytes.
    package var size: Int64 { file.size }

    /// Returns the next 256 KiB; nil at the end.
    package mutating func next() throws(MultipartError) -> Data? {
        do throws(RegularFile.Failure) {
            let piece = try file.read(256 << 10, at: offset)
            offset += Int64(piece.count)
            return piece.isEmpty ? nil : piece
        } catch {
            throw .unreadableFile(path: path, reason: error.description)
        }
    }
}
