public import EssentialFoundation
public import HTTPTransport
import NetworkProvider
import Threading

/// A recorded request.
public struct RecordedRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPMethod
    /// The URL's text, with secrets replaced.
    public var url: String
    /// The header fields, with secrets replaced.
    public var headers: HTTPHeaders
    /// The body, with secrets replaced; empty without one.
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
    /// Whether the body is complete: false if it broke, if its reader stopped, or if it was over the recorder's limit.
    public var isWhole: Bool

    /// Creates a body.
    public init(_ bytes: Data = Data(), isWhole: Bool = true) {
        self.bytes = bytes
        self.isWhole = isWhole
    }

    /// Creates a body of text.
    public init(_ text: String) { self.init(Data(text.utf8)) }

    /// The bytes as text; nil if they are not UTF-8, or contain control characters other than tabs and line breaks.
    public var text: String? {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension RecordedBody: Codable {
    private enum Key: String, CodingKey { case text, lines, base64, cutOff }

    /// Decodes a body from one of `text`, `lines` and `base64`; without any it is empty.
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

    /// Encodes text as `text` or `lines`, anything else as `base64`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if !isWhole { try container.encode(true, forKey: .cutOff) }
        guard !bytes.isEmpty else { return }
        guard let text else { return try container.encode(bytes.base64EncodedString(), forKey: .base64) }
        // A carriage return and a line feed are one character: lines are divided at the line feed only.
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
    /// Collects the bytes of the body up to a limit.
    func collected(upTo limit: Int) async throws(HTTPTransportError) -> RecordedBody {
        var bytes = Data()
        do {
            switch self {
            case .none: break
            case .data(let data): bytes = data
            case .file(let path):
                let file = try await BlockingCalls.run { try RegularFile(path: path) }
                for try await block in FileBlocks(of: file) {
                    bytes += block
                    if bytes.count > limit { break }
                }
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
    /// Creates the record of a request, without secrets, and with the random boundary of a multipart form replaced, so
    /// that equal requests have equal records.
    init(_ request: HTTPRequest, _ body: RecordedBody, _ redaction: Redaction) {
        var headers = request.headers
        var bytes = redaction.redacted(body: body.bytes, contentType: headers[.contentType])
        if let type = headers[.contentType], type.lowercased().hasPrefix("multipart/"),
            let boundary = Redaction.boundary(type)
        {
            headers[.contentType] = type.prefix { $0 != ";" } + "; boundary=boundary"
            // A delimiter is at the start of a line.
            let lines = Data("\n".utf8) + bytes
            bytes = Data(lines.replacing(Data("\n--\(boundary)".utf8), with: Data("\n--boundary".utf8)).dropFirst())
        }
        self.init(
            request.method,
            redaction.redacted(request.url),
            headers: redaction.redacted(headers),
            body: RecordedBody(bytes, isWhole: body.isWhole)
        )
    }
}
