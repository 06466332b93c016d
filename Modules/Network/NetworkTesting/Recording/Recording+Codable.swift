import HTTPTransport
import NetworkProvider

extension Recording: Codable {
    /// The version of the format; no other version is decoded.
    static let version = 1

    private enum Key: String, CodingKey { case version, redacted, exchanges }

    private struct Names: Codable {
        var headers: [String]
        var parameters: [String]
        var fields: [String]
    }

    /// The version is not supported.
    struct UnknownVersion: Error { let version: Int }

    /// Decodes a recording.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == Recording.version else { throw UnknownVersion(version: version) }
        let names = try container.decode(Names.self, forKey: .redacted)
        redaction = Redaction(headers: Set(names.headers), parameters: Set(names.parameters), fields: Set(names.fields))
        exchanges = try container.decode([Exchange].self, forKey: .exchanges)
    }

    /// Encodes the recording.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Recording.version, forKey: .version)
        let names = Names(
            headers: redaction.headers.sorted(),
            parameters: redaction.parameters.sorted(),
            fields: redaction.fields.sorted()
        )
        try container.encode(names, forKey: .redacted)
        try container.encode(exchanges, forKey: .exchanges)
    }
}

extension Recording.Exchange: Codable {
    private enum Key: String, CodingKey { case request, response, failure }

    private enum PartKey: String, CodingKey { case method, url, headers, body, status, code, detail }

    /// Decodes an exchange.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let requestPart = try container.nestedContainer(keyedBy: PartKey.self, forKey: .request)
        request = RecordedRequest(
            HTTPMethod(rawValue: try requestPart.decode(String.self, forKey: .method)),
            try requestPart.decode(String.self, forKey: .url),
            headers: try Recording.headers(requestPart, .headers),
            body: try requestPart.decodeIfPresent(RecordedBody.self, forKey: .body) ?? RecordedBody()
        )
        if container.contains(.failure) {
            let failed = try container.nestedContainer(keyedBy: PartKey.self, forKey: .failure)
            let name = try failed.decode(String.self, forKey: .code)
            guard let code = HTTPTransportError.Code(recorded: name) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .code,
                    in: failed,
                    debugDescription: "\(name.debugDescription) is not a failure code"
                )
            }
            outcome = .failure(code, detail: try failed.decodeIfPresent(String.self, forKey: .detail) ?? "")
            return
        }
        let responsePart = try container.nestedContainer(keyedBy: PartKey.self, forKey: .response)
        outcome = .response(
            status: try responsePart.decode(Int.self, forKey: .status),
            headers: try Recording.headers(responsePart, .headers),
            body: try responsePart.decodeIfPresent(RecordedBody.self, forKey: .body) ?? RecordedBody()
        )
    }

    /// Encodes the exchange without its empty parts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var requestPart = container.nestedContainer(keyedBy: PartKey.self, forKey: .request)
        try requestPart.encode(request.method.rawValue, forKey: .method)
        try requestPart.encode(request.url, forKey: .url)
        try Recording.encode(request.headers, request.body, &requestPart)
        switch outcome {
        case .response(let status, let headers, let body):
            var responsePart = container.nestedContainer(keyedBy: PartKey.self, forKey: .response)
            try responsePart.encode(status, forKey: .status)
            try Recording.encode(headers, body, &responsePart)
        case .failure(let code, let detail):
            var failed = container.nestedContainer(keyedBy: PartKey.self, forKey: .failure)
            try failed.encode(code.recorded, forKey: .code)
            if !detail.isEmpty { try failed.encode(detail, forKey: .detail) }
        }
    }
}

extension Recording {
    /// Decodes fields from lines of `name: value`.
    fileprivate static func headers<Key: CodingKey>(
        _ container: KeyedDecodingContainer<Key>,
        _ key: Key
    ) throws -> HTTPHeaders {
        let lines = try container.decodeIfPresent([String].self, forKey: key) ?? []
        return HTTPHeaders(
            try lines.map { line in
                guard let colon = line.firstIndex(of: ":") else {
                    throw DecodingError.dataCorruptedError(
                        forKey: key,
                        in: container,
                        debugDescription: "\(line.debugDescription) is not a field; write name: value"
                    )
                }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                return HTTPHeaders.Field(name: String(line[..<colon]), value: String(value))
            }
        )
    }

    fileprivate static func encode<Key: CodingKey>(
        _ headers: HTTPHeaders,
        _ body: RecordedBody,
        _ container: inout KeyedEncodingContainer<Key>
    ) throws {
        if !headers.isEmpty, let key = Key(stringValue: "headers") {
            try container.encode(headers.map { "\($0.name): \($0.value)" }, forKey: key)
        }
        if !body.bytes.isEmpty || !body.isWhole, let key = Key(stringValue: "body") {
            try container.encode(body, forKey: key)
        }
    }
}

extension HTTPTransportError.Code {
    /// The failures that can be recorded and replayed, by their names. A failure that only a platform's library can
    /// cause, such as a certificate, is replayed as the closest one.
    private static let names: [(name: String, code: HTTPTransportError.Code)] = [
        ("cannotResolveHost", .cannotResolveHost), ("cannotConnect", .cannotConnect),
        ("timedOut.connect", .timedOut(.connect)), ("timedOut.idle", .timedOut(.idle)),
        ("timedOut.total", .timedOut(.total)), ("timedOut.queue", .timedOut(.queue)), ("tls", .tls),
        ("proxy", .proxy), ("connectionLost", .connectionLost), ("noResponse", .noResponse),
        ("malformedResponse", .malformedResponse), ("headersTooLarge", .headersTooLarge),
        ("bodyTooLarge", .bodyTooLarge), ("bodyTruncated", .bodyTruncated),
        ("badContentEncoding", .badContentEncoding), ("uploadFailed", .uploadFailed), ("cancelled", .cancelled),
        ("shutDown", .shutDown), ("library", .library),
    ]

    /// Creates the failure of a name; nil for an unknown name.
    init?(recorded name: String) {
        guard let found = HTTPTransportError.Code.names.first(where: { $0.name == name }) else { return nil }
        self = found.code
    }

    /// The name.
    var recorded: String {
        if let found = HTTPTransportError.Code.names.first(where: { $0.code == self }) { return found.name }
        return switch self {
        case .certificate, .pinMismatch, .clientCertificate: "tls"
        default: "library"
        }
    }
}
