public import EssentialFoundation

/// A body of parts (RFC 7578) from memory, files and streams. It is sent piece by piece, never collected in memory.
public struct MultipartForm: Sendable {
    /// A part of a form.
    public struct Part: Sendable {
        /// The source of a part's bytes.
        public enum Content: Sendable {
            /// Memory.
            case data(Data)
            /// The regular file at a path.
            case file(path: String)
            /// Pieces that are made while they are sent.
            case stream(HTTPBodyStream)
        }

        /// The field's name.
        public var name: String
        /// The file's name; nil for a field that is not a file.
        public var filename: String?
        /// The media type, with its parameters; nil for text.
        public var contentType: String?
        /// The bytes.
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
    /// The text that separates the parts.
    public let boundary: String

    /// Creates a form.
    /// - Parameters:
    ///   - parts: the parts in their order.
    ///   - boundary: the text that separates the parts, 1 to 70 characters of RFC 2046, section 5.1.1; a random one by
    ///     default. A request with another one fails with ``NetworkError/Reason/encoding(_:)``.
    public init(_ parts: [Part] = [], boundary: String? = nil) {
        self.parts = parts
        self.boundary =
            boundary ?? "pawkit-" + (0..<2).map { _ in String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }.joined()
    }

    /// The value of the Content-Type field.
    public var contentType: String {
        "multipart/form-data; boundary=" + (HTTPSyntax.isToken(boundary) ? boundary : "\"\(boundary)\"")
    }

    /// Adds a text field.
    public mutating func append(_ name: String, _ text: String) {
        parts.append(Part(name: name, content: .data(Data(text.utf8))))
    }

    /// Adds bytes as a file.
    public mutating func append(_ name: String, data: Data, filename: String, contentType: String) {
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .data(data)))
    }

    /// Adds the regular file at a path, under its own name.
    public mutating func append(_ name: String, file path: String, contentType: String = "application/octet-stream") {
        let filename = path.split(separator: "/").last.map(String.init)
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .file(path: path)))
    }
}

extension MultipartForm {
    /// Whether the form has files, whose sizes ``body()`` reads: a call that may block.
    var hasFiles: Bool { parts.contains { if case .file = $0.content { true } else { false } } }

    /// Returns the form as a request's body: a stream, with its length if all parts have one.
    func body() throws(MultipartError) -> HTTPBody {
        guard MultipartForm.isBoundary(boundary) else { throw .invalidBoundary(boundary) }
        var length: Int64? = 0
        for part in parts {
            if let type = part.contentType, !HTTPSyntax.isFieldValue(type) {
                throw .invalidContentType(type, part: part.name)
            }
            let size: Int64?
            switch part.content {
            case .data(let data): size = Int64(data.count)
            case .stream(let stream): size = stream.length
            case .file(let path): size = try MultipartForm.open(path).size
            }
            length = length.flatMap { sum in size.map { sum + Int64(head(of: part).count) + $0 + 2 } }
        }
        length = length.map { $0 + Int64(tail.count) }
        let form = self
        return .stream(HTTPBodyStream(length: length) { form.pieces() })
    }

    /// Returns whether a text is a boundary (RFC 2046, section 5.1.1).
    private static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != UInt8(ascii: " ")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
    }

    /// Opens a file; anything but a regular file is refused without waiting for it.
    static func open(_ path: String) throws(MultipartError) -> RegularFile {
        do throws(RegularFile.Failure) {
            return try RegularFile(path: path)
        } catch {
            throw .unreadableFile(path: path, reason: error.description)
        }
    }

    private var tail: Data { Data("--\(boundary)--\r\n".utf8) }

    private func head(of part: Part) -> Data {
        var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartForm.escaped(part.name))\""
        if let filename = part.filename { text += "; filename=\"\(MultipartForm.escaped(filename))\"" }
        text += "\r\n"
        if let type = part.contentType { text += "Content-Type: \(type)\r\n" }
        return Data((text + "\r\n").utf8)
    }

    /// Escapes names as browsers do: a quote or a line break would end the field.
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
        let reader = MultipartReader(parts.map { (head(of: $0), $0.content) }, tail: tail)
        return AsyncThrowingStream { try await reader.next() }
    }
}

/// Why a form cannot be sent; found in ``NetworkError/Reason/encoding(_:)``.
package enum MultipartError: Error, Sendable, CustomStringConvertible {
    /// A file does not exist, cannot be read or is not a regular file; the text says why.
    case unreadableFile(path: String, reason: String)
    /// A part's media type contains a line break or another control character.
    case invalidContentType(String, part: String)
    /// The boundary is empty, too long, ends with a space or contains a character that a boundary cannot have.
    case invalidBoundary(String)

    /// The invalid part, and what to do.
    package var description: String {
        switch self {
        case .unreadableFile(let path, let reason): "the file \(path) of the form cannot be read: \(reason)"
        case .invalidContentType(let type, let part):
            "the media type \(type.debugDescription) of the part \(part.debugDescription) contains a control character"
        case .invalidBoundary(let boundary):
            "the boundary \(boundary.debugDescription) of the form is not 1 to 70 letters, digits, spaces or any of "
                + "'()+_,-./:=? without a space at the end"
        }
    }
}
