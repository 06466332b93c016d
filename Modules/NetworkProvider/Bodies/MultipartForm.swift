#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A body of parts (RFC 7578): from memory, from files and from streams, never gathered in memory as a whole.
public struct MultipartForm: Sendable {
    /// One part.
    public struct Part: Sendable {
        /// Where a part's bytes come from.
        public enum Content: Sendable {
            /// Memory.
            case data(Data)
            /// The file at a path.
            case file(path: String)
            /// Pieces made while they are sent.
            case stream(HTTPBodyStream)
        }

        /// The field's name.
        public var name: String
        /// The name of the file it is; nil for a plain field.
        public var filename: String?
        /// Its media type; nil for text.
        public var contentType: String?
        /// Its bytes.
        public var content: Content

        /// Creates a part.
        public init(name: String, filename: String? = nil, contentType: String? = nil, content: Content) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.content = content
        }
    }

    /// The parts in their order.
    public var parts: [Part]
    /// What stands between parts.
    public let boundary: String

    /// Creates a form.
    /// - Parameters:
    ///   - parts: the parts in their order.
    ///   - boundary: what stands between parts; a random text, unless told otherwise.
    public init(_ parts: [Part] = [], boundary: String? = nil) {
        self.parts = parts
        self.boundary =
            boundary ?? "pawkit-" + (0..<2).map { _ in String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }.joined()
    }

    /// The value of the Content-Type field.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Adds a text field.
    public mutating func append(_ name: String, _ text: String) {
        parts.append(Part(name: name, content: .data(Data(text.utf8))))
    }

    /// Adds bytes as a file.
    public mutating func append(_ name: String, data: Data, filename: String, contentType: String) {
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .data(data)))
    }

    /// Adds the file at a path, under its own name.
    public mutating func append(_ name: String, file path: String, contentType: String = "application/octet-stream") {
        let filename = path.split(separator: "/").last.map(String.init)
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .file(path: path)))
    }
}
