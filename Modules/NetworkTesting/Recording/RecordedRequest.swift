public import HTTPTransport
import NetworkProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request as it was recorded.
public struct RecordedRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPMethod
    /// The URL's text, secrets replaced.
    public var url: String
    /// The header fields, secrets replaced.
    public var headers: HTTPHeaders
    /// The body, secrets replaced; empty without one.
    public var body: RecordedBody

    /// Creates a request.
    public init(_ method: HTTPMethod, _ url: String, headers: HTTPHeaders = [:], body: RecordedBody = RecordedBody()) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The bytes of a recorded body.
public struct RecordedBody: Sendable, Hashable {
    /// The bytes.
    public var bytes: Data
    /// Whether these are all: false for a body that broke, that its reader gave up, or that was over the recorder's
    /// limit.
    public var isWhole: Bool

    /// Creates a body.
    public init(_ bytes: Data = Data(), isWhole: Bool = true) {
        self.bytes = bytes
        self.isWhole = isWhole
    }

    /// Creates a body of text.
    public init(_ text: String) { self.init(Data(text.utf8)) }

    /// The bytes as text; nil for what is no UTF-8, or holds control characters beside tabs and line feeds.
    public var text: String? {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension RecordedBody: Codable {
    private enum Key: String, CodingKey {
        case text, lines, base64, cutOff
    }

    /// Reads a body from one of `text`, `lines` and `base64`; without any it is empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        isWhole = !(try container.decodeIfPresent(Bool.self, forKey: .cutOff) ?? false)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            bytes = Data(text.utf8)
        } else if let lines = try container.decodeIfPresent([String].self, forKey: .lines) {
            bytes = Data(lines.joined(separator: "\n").utf8)
        } else if let text = try container.decodeIfPresent(String.self, forKey: .base64) {
            guard let data = Data(base64Encoded: text) else {
                throw DecodingError.dataCorruptedError(forKey: .base64, in: container, debugDescription: "no Base64")
            }
            bytes = data
        } else {
            bytes = Data()
        }
    }

    /// Writes text as `text` or `lines`, anything else as `base64`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if !isWhole { try container.encode(true, forKey: .cutOff) }
        guard !bytes.isEmpty else { return }
        guard let text else { return try container.encode(bytes.base64EncodedString(), forKey: .base64) }
        // A carriage return and a line feed are one character: only the line feed parts lines here.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if lines.count == 1 {
            try container.encode(text, forKey: .text)
        } else {
            try container.encode(lines, forKey: .lines)
        }
    }
}

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
