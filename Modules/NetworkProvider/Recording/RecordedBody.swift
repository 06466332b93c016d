#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
