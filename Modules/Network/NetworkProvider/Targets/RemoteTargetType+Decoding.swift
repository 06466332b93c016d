public import EssentialFoundation

extension RemoteTargetType where Response: Decodable {
    /// `application/json`, unless the response is `Data`, `String` or ``NoContent``.
    public var accept: String { Self.isJSON ? "application/json" : "" }

    /// Returns raw bytes for `Data`, text for `String`, an empty value for ``NoContent``, decoded JSON for everything else.
    ///
    /// Text has the character set that the response's media type names: UTF-8, US-ASCII, ISO-8859-1 or UTF-16; UTF-8
    /// without one.
    /// - Throws: an error for text that is not valid in its character set, and for an empty body in place of JSON.
    public func decode(_ body: Data, _ head: HTTPResponseHead) throws -> Response {
        if let raw = body as? Response { return raw }
        if let empty = NoContent() as? Response { return empty }
        if Response.self == String.self, let text = try BodyText.decode(body, head) as? Response { return text }
        guard !body.isEmpty else { throw EmptyBody(status: head.status) }
        return try decoder.decode(Response.self, from: body)
    }

    private static var isJSON: Bool {
        Response.self != Data.self && Response.self != String.self && Response.self != NoContent.self
    }
}

/// The body is empty where JSON was expected.
struct EmptyBody: Error, CustomStringConvertible {
    let status: Int

    var description: String {
        "the body is empty (status \(status)), which is not JSON; use NoContent as the response's type"
    }
}

/// The text of a body.
enum BodyText {
    /// The body is not text in its character set, or the character set is not supported.
    struct Invalid: Error, CustomStringConvertible { let description: String }

    static func decode(_ body: Data, _ head: HTTPResponseHead) throws(Invalid) -> String {
        let name = head.headers[.contentType].flatMap { FieldParameters.value("charset", in: $0) }?.lowercased()
        let text: String?
        switch name {
        case nil, "utf-8", "utf8": text = String(validating: body, as: UTF8.self)
        case "us-ascii", "ascii":
            text = body.allSatisfy { $0 < 0x80 } ? String(decoding: body, as: UTF8.self) : nil
        case "iso-8859-1", "iso_8859-1", "latin1":
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: body.lazy.map { Unicode.Scalar($0) })
            text = String(scalars)
        case "utf-16", "utf-16be", "utf-16le": text = utf16(body, isLittleEndian: name == "utf-16le")
        case let name?:
            throw Invalid(
                description: "the character set \(name.debugDescription) of the body is not supported; use Data"
            )
        }
        guard let text else {
            let source =
                name.map { "\($0), as its media type says" } ?? "UTF-8, and its media type names no character set"
            throw Invalid(description: "the body is not valid \(source); use Data")
        }
        return text
    }

    /// UTF-16 with or without a byte order mark, big-endian by default (RFC 2781, section 4.3).
    private static func utf16(_ body: Data, isLittleEndian: Bool) -> String? {
        let bytes = Array(body)
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let isLittleEndian = isLittleEndian || bytes.starts(with: [0xff, 0xfe])
        var units = stride(from: 0, to: bytes.count, by: 2).map { index -> UInt16 in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
        if units.first == 0xfeff { units.removeFirst() }
        return String(validating: units, as: UTF16.self)
    }
}
