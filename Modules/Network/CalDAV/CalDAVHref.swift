import EssentialFoundation
import HTTPTransport
import TextEscaping

/// The path of a resource on a CalDAV server, compared by its decoded characters: `/dog%40home/` equals `/dog@home/`.
///
/// A path has no `.` or `..` segments, query or control characters. It belongs to the server of its calendar: pass it to
/// the client with the calendar.
public struct CalDAVHref: Sendable {
    /// The path as the server wrote it, percent-encoded, beginning with a slash. Requests use it unchanged.
    public let path: String
    /// The path with every character encoded in the same way; equal for equal resources.
    let key: String

    /// Creates a path; nil for a text that does not begin with a slash, has a segment `.` or `..`, a query, a fragment or a
    /// control character, encoded or not.
    public init?(_ path: String) {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), let (key, isURL) = CalDAVHref.normalized(path),
            !URLText.hasDotSegments(key)
        else { return nil }
        self.path = isURL && path != key ? path : key
        self.key = key
    }

    /// The last segment, decoded; empty for `/`.
    public var name: String { path.split(separator: "/").last.map { PercentEncoding.decode($0) } ?? "" }

    /// Returns the path of a member of this collection, such as `UID.ics`; nil for an empty name, `.` or `..`, and a name
    /// with a control character. A slash in the name is encoded.
    public func member(_ name: String) -> CalDAVHref? {
        guard !name.isEmpty else { return nil }
        return CalDAVHref(path + (path.hasSuffix("/") ? "" : "/") + PercentEncoding.encode(name))
    }

    /// Whether this is a direct member of a collection, and not a collection itself.
    package func isMember(of collection: CalDAVHref) -> Bool {
        isBelow(collection) && !key.utf8.dropFirst(collection.folder.utf8.count).contains(UInt8(ascii: "/"))
    }

    /// Whether this is in a collection or in one in it.
    func isBelow(_ collection: CalDAVHref) -> Bool {
        key.hasPrefix(collection.folder) && key.utf8.count > collection.folder.utf8.count
    }

    /// The key with a final slash.
    private var folder: String { key.hasSuffix("/") ? key : key + "/" }

    /// Whether both are the same collection, with or without the final slash.
    func isCollection(_ other: CalDAVHref) -> Bool { folder == other.folder }

    /// Returns a path in which exactly the characters are encoded that a segment cannot contain, and `%2F` and `%25`, whose
    /// decoding would change the segments, and whether the path could be part of a URL as it was; nil if it has a query, a
    /// fragment or a control character.
    private static func normalized(_ path: String) -> (key: String, isURL: Bool)? {
        let bytes = Array(path.utf8)
        var (key, isURL, index) = ("", true, 0)
        key.reserveCapacity(bytes.count)
        while index < bytes.count {
            var byte = bytes[index]
            var isPlain = CalDAVHref.isAllowed(byte)
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Hexadecimal.value(ofDigit: bytes[index + 1]),
                let low = Hexadecimal.value(ofDigit: bytes[index + 2])
            {
                byte = high << 4 | low
                index += 2
                isPlain = CalDAVHref.isAllowed(byte) && byte != UInt8(ascii: "/")
            } else if !isPlain {
                guard byte != UInt8(ascii: "?"), byte != UInt8(ascii: "#") else { return nil }
                isURL = false
            }
            guard byte >= 0x20, byte != 0x7f else { return nil }
            if isPlain {
                key.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                key += "%" + Hexadecimal.string(of: byte, digits: 2, uppercase: true)
            }
            index += 1
        }
        return (key, isURL)
    }

    /// Whether a path contains a character as it is: the unreserved ones, the delimiters of sub-components, `:`, `@` and `/`
    /// (RFC 3986, section 3.3).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@/".utf8.contains(byte)
        }
    }
}

extension CalDAVHref: Hashable {
    /// Whether both are the path of the same resource.
    public static func == (left: CalDAVHref, right: CalDAVHref) -> Bool { left.key == right.key }

    /// Hashes the decoded characters.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension CalDAVHref: Codable, CustomStringConvertible {
    /// Reads the path from a string.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let href = CalDAVHref(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(text.quoted()) is not a path"
                )
            )
        }
        self = href
    }

    /// Writes the path as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(path)
    }

    /// The path.
    public var description: String { path }
}
