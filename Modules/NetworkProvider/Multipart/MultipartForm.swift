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

extension MultipartForm {
    /// The form as a request's body: a stream, with its length where all parts have one.
    func body() throws(MultipartError) -> HTTPBody {
        var length: Int64? = 0
        for part in parts {
            let size: Int64?
            switch part.content {
            case .data(let data): size = Int64(data.count)
            case .stream(let stream): size = stream.length
            case .file(let path): size = try FileReader.size(of: path)
            }
            length = length.flatMap { sum in size.map { sum + Int64(head(of: part).count) + $0 + 2 } }
        }
        length = length.map { $0 + Int64(tail.count) }
        let form = self
        return .stream(HTTPBodyStream(length: length) { form.pieces() })
    }

    private var tail: Data { Data("--\(boundary)--\r\n".utf8) }

    private func head(of part: Part) -> Data {
        var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartForm.escaped(part.name))\""
        if let filename = part.filename { text += "; filename=\"\(MultipartForm.escaped(filename))\"" }
        text += "\r\n"
        if let type = part.contentType { text += "Content-Type: \(MultipartForm.escaped(type))\r\n" }
        return Data((text + "\r\n").utf8)
    }

    /// Names as browsers write them: a quote or a line break would end the field.
    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "%22"
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(scalar)
            }
        }.joined()
    }

    private func pieces() -> AsyncThrowingStream<Data, any Error> {
        let walker = MultipartWalker(parts.map { (head(of: $0), $0.content) }, tail: tail)
        return AsyncThrowingStream { try await walker.next() }
    }
}

/// A form cannot be sent.
public enum MultipartError: Error, Sendable, CustomStringConvertible {
    /// A file is not there or is none, with the system's error number.
    case unreadableFile(path: String, code: Int32)

    /// Which part, and why.
    public var description: String {
        switch self {
        case .unreadableFile(let path, let code):
            "the file \(path) of the form cannot be read: \(SystemText.of(code)); check that it is there and may be read"
        }
    }
}
