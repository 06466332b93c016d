import Foundation
import HTTPTransport
import Threading

/// The body of a request in the form that URLSession needs: a stream is written to a temporary file first.
final class SessionUpload: Sendable {
    enum Source: Sendable {
        case none
        case data(Data)
        case file(URL)
    }

    let source: Source
    /// The number of bytes; nil if unknown.
    let length: Int64?
    /// A file that is removed with this object.
    private let temporary: URL?

    private init(_ source: Source, length: Int64?, temporary: URL? = nil) {
        self.source = source
        self.length = length
        self.temporary = temporary
    }

    deinit {
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }

    /// Prepares the body of a request. Calls to the file system run on another thread.
    /// - Parameter request: the request.
    /// - Returns: the body, ready to be sent.
    /// - Throws: `HTTPTransportError/Code/invalidBody` for a file that cannot be read or is not a regular file,
    ///   `HTTPTransportError/Code/uploadFailed` for a stream that fails or has a different length, and
    ///   `HTTPTransportError/Code/timedOut(_:)` if that takes longer than the request's total timeout.
    static func prepare(_ request: HTTPRequest) async throws(HTTPTransportError) -> SessionUpload {
        switch request.body {
        case .none: SessionUpload(.none, length: 0)
        case .data(let data): SessionUpload(.data(data), length: Int64(data.count))
        case .file(let path):
            try await request.withTotalTimeout { () async throws(HTTPTransportError) in
                do {
                    return try await BlockingCalls.run { try file(path) }
                } catch is CancellationError {
                    throw .cancelled
                } catch {
                    throw HTTPTransportError(.invalidBody, detail: "the file \(path) cannot be read: \(error)")
                }
            }
        case .stream(let stream):
            try await request.withTotalTimeout { () async throws(HTTPTransportError) in
                do {
                    return try await spool(stream)
                } catch let error as HTTPTransportError {
                    throw error
                } catch is CancellationError {
                    throw .cancelled
                } catch {
                    throw HTTPTransportError(.uploadFailed, detail: "the body cannot be produced: \(error)")
                }
            }
        }
    }

    private static func file(_ path: String) throws -> SessionUpload {
        // Refuses a FIFO or a directory.
        let size = try RegularFile(path: path).size
        #if canImport(FoundationNetworking)
            // On Linux, URLSession never finishes if the file grows while it is sent: the size of a copy does not change.
            let copy = temporaryFile
            do {
                try FileManager.default.copyItem(at: URL(filePath: path), to: copy)
                let length = try RegularFile(path: copy.path(percentEncoded: false)).size
                return SessionUpload(.file(copy), length: length, temporary: copy)
            } catch {
                try? FileManager.default.removeItem(at: copy)
                throw error
            }
        #else
            return SessionUpload(.file(URL(filePath: path)), length: size)
        #endif
    }

    private static func spool(_ stream: HTTPBodyStream) async throws -> SessionUpload {
        let file = temporaryFile
        do {
            let handle = try await BlockingCalls.run {
                let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
                let path = file.path(percentEncoded: false)
                guard FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes) else {
                    throw CocoaError(.fileWriteUnknown)
                }
                return try FileHandle(forWritingTo: file)
            }
            var count: Int64 = 0
            for try await piece in stream.makePieces() {
                try Task.checkCancellation()
                try await BlockingCalls.run { try handle.write(contentsOf: piece) }
                count += Int64(piece.count)
            }
            try await BlockingCalls.run { try handle.close() }
            if let length = stream.length, length != count {
                throw HTTPTransportError(.uploadFailed, detail: "the body has \(count) bytes instead of \(length)")
            }
            return SessionUpload(.file(file), length: count, temporary: file)
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
    }

    private static var temporaryFile: URL {
        FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
    }
}
