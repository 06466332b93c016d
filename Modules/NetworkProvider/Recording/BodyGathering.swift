#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPBody {
    /// The bytes of the body, from wherever they are, up to a limit.
    func gathered(upTo limit: Int) async throws(HTTPTransportError) -> RecordedBody {
        var bytes = Data()
        do {
            switch self {
            case .none: break
            case .data(let data): bytes = data
            case .file(let path):
                let file = try FileReader(path)
                while bytes.count <= limit, let piece = try file.next() { bytes += piece }
            case .stream(let stream):
                for try await piece in stream.makePieces() {
                    bytes += piece
                    if bytes.count > limit { break }
                }
            }
        } catch {
            throw HTTPTransportError(.uploadFailed, detail: "the body cannot be read: \(error)")
        }
        return RecordedBody(bytes.prefix(limit), isWhole: bytes.count <= limit)
    }
}

extension RecordedRequest {
    /// What is kept of a request: without secrets, and with a multipart form's random boundary replaced, so that two
    /// requests for the same are equal.
    init(_ request: HTTPRequest, _ body: RecordedBody, _ redaction: Redaction) {
        var headers = request.headers
        var bytes = body.bytes
        if let type = headers["Content-Type"], type.lowercased().hasPrefix("multipart/"),
            let boundary = Redaction.boundary(type)
        {
            headers["Content-Type"] = type.replacing(boundary, with: "boundary")
            bytes = Data(bytes.replacing(Data("--\(boundary)".utf8), with: Data("--boundary".utf8)))
        }
        self.init(
            request.method,
            redaction.redacted(request.url),
            headers: redaction.redacted(headers),
            body: RecordedBody(
                redaction.redacted(body: bytes, contentType: headers["Content-Type"]),
                isWhole: body.isWhole
            )
        )
    }
}
