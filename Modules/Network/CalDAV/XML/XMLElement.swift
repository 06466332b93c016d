/// An element of a reply with its text and its children.
struct XMLElement {
    /// The local name after the prefix of its namespace in ``XMLName``, such as `D:href`.
    var name: String
    var attributes: [String: String] = [:]
    /// The text directly in the element.
    var text = ""
    var children: [XMLElement] = []

    /// The first child of a name.
    subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The text without surrounding white space.
    var trimmedText: String {
        guard let first = text.first, let last = text.last, first.isWhitespace || last.isWhitespace else { return text }
        let start = text.drop { $0.isWhitespace }
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
        )
    }
}

/// The short names of the namespaces that CalDAV uses. An element of another one is named `namespace local`.
enum XMLName {
    /// Separates namespace and local name in expat; a character that XML 1.0 does not contain.
    static let separator: UInt8 = 1

    static let prefixes: [(namespace: String, prefix: String)] = [
        ("DAV:", "D"), ("urn:ietf:params:xml:ns:caldav", "C"), ("http://calendarserver.org/ns/", "CS"),
        ("http://apple.com/ns/ical/", "A"),
    ]

    /// The declarations of the prefixes, for the root of a request.
    static let declarations = prefixes.map { #"xmlns:\#($0.prefix)="\#($0.namespace)""# }.joined(separator: " ")

    /// Returns the short name for a name of expat.
    static func short(_ name: UnsafePointer<CChar>) -> String {
        let name = String(cString: name)
        guard let mark = name.utf8.firstIndex(of: separator) else { return name }
        let (namespace, local) = (name[..<mark], name[name.utf8.index(after: mark)...])
        return (prefixes.first { $0.namespace == namespace }.map { $0.prefix + ":" } ?? "\(namespace) ") + local
    }
}
