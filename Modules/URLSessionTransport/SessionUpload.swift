import Foundation
import HTTPTransport

/// A request's body as URLSession takes it: a stream is written to a temporary file first.
final class SessionUpload: Sendable {
    enum Source: Sendable {
        case none
        case data(Data)
        case file(URL)
    }

    let source: Source
    /// The number of bytes in all.
    let length: Int64?
    private let temporary: URL?

    init(_ body: HTTPBody, url: URL) async throws(HTTPTransportError) {
        switch body {
        case .none:
            (source, length, temporary) = (.none, 0, nil)
        case .data(let data):
            (source, length, temporary) = (.data(data), Int64(data.count), nil)
        case .file(let path):
            let file = URL(filePath: path)
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular,
                FileManager.default.isReadableFile(atPath: path)
            else { throw HTTPTransportError(.invalidBody, url: url, detail: "the file \(path) cannot be read") }
            #if canImport(FoundationNetworking)
                // There URLSession waits for ever when the file grows meanwhile: a copy stays as long as it is.
                let copy = SessionUpload.temporaryFile
                do {
                    try FileManager.default.copyItem(at: file, to: copy)
                    let size = try FileManager.default.attributesOfItem(atPath: copy.path())[.size] as? Int64
                    (source, length, temporary) = (.file(copy), size, copy)
                } catch {
                    try? FileManager.default.removeItem(at: copy)
                    throw HTTPTransportError(.invalidBody, url: url, detail: "the file \(path) is not copied: \(error)")
                }
            #else
                (source, length, temporary) = (.file(file), attributes?[.size] as? Int64, nil)
            #endif
        case .stream(let stream):
            let file = SessionUpload.temporaryFile
            do {
                let count = try await SessionUpload.spool(stream, file)
                if let expected = stream.length, expected != count {
                    throw HTTPTransportError(
                        .uploadFailed,
                        url: url,
                        detail: "the body has \(count) bytes instead of \(expected)"
                    )
                }
                (source, length, temporary) = (.file(file), count, file)
            } catch {
                try? FileManager.default.removeItem(at: file)
                if let error = error as? HTTPTransportError { throw error }
                if error is CancellationError { throw HTTPTransportError.cancelled.at(url) }
                throw HTTPTransportError(.uploadFailed, url: url, detail: "making the body failed: \(error)")
            }
        }
    }

    deinit {
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }

    private static var temporaryFile: URL {
        FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
    }

    private static func spool(_ stream: HTTPBodyStream, _ file: URL) async throws -> Int64 {
        guard
            FileManager.default.createFile(atPath: file.path(), contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        var count: Int64 = 0
        for try await piece in stream.makePieces() {
            try Task.checkCancellation()
            try handle.write(contentsOf: piece)
            count += Int64(piece.count)
        }
        return count
    }
}
