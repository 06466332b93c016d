import EssentialFoundation

/// Writes the XML format with the layout of Apple's tools. Equal trees have equal bytes.
struct XMLPropertyListWriter {
    private let source: UnsafeBufferPointer<UInt8>
    private let objects: [PropertyListObjects.Object]
    private let members: [PropertyListObjects.Member]
    private var bytes: [UInt8] = []

    /// Returns the bytes of a property list.
    ///
    /// - Throws: ``PropertyListProblem`` if it is nested more than 128 deep.
    static func file(_ list: PropertyListObjects, top: Int) throws(PropertyListProblem) -> [UInt8] {
        try list.bytes.withUnsafeBufferPointer { source throws(PropertyListProblem) in
            var writer = XMLPropertyListWriter(source: source, objects: list.objects, members: list.members)
            // Keys occur several times.
            writer.bytes.reserveCapacity(source.count + list.members.count * 40 + 512)
            append(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">

                """,
                to: &writer.bytes
            )
            try writer.write(top, 0)
            append("</plist>\n", to: &writer.bytes)
            return writer.bytes
        }
    }

    private mutating func write(_ object: Int, _ depth: Int) throws(PropertyListProblem) {
        guard depth < PropertyListProblem.depthLimit else { throw .tooDeep }
        appendIndent(depth)
        let range = objects[object].range
        switch objects[object].kind {
        case .scalar: copy(range)
        case .array:
            Self.append("<array>\n", to: &bytes)
            for member in range { try write(members[member].value, depth + 1) }
            appendIndent(depth)
            Self.append("</array>\n", to: &bytes)
        case .dictionary:
            Self.append("<dict>\n", to: &bytes)
            for member in range {
                appendIndent(depth + 1)
                copy(objects[members[member].key].range)
                try write(members[member].value, depth + 1)
            }
            appendIndent(depth)
            Self.append("</dict>\n", to: &bytes)
        }
    }

    private mutating func copy(_ range: Range<Int>) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[range]))
    }

    private mutating func appendIndent(_ depth: Int) {
        bytes.append(contentsOf: repeatElement(0x09, count: depth))
    }

    // MARK: Scalars

    /// Appends the element of a value that contains no others.
    static func append(_ value: PropertyListValue, to bytes: inout [UInt8]) throws(PropertyListProblem) {
        switch value {
        case .bool(let value): append(value ? "<true/>\n" : "<false/>\n", to: &bytes)
        case .integer(let value): append("<integer>", value.description, "</integer>\n", to: &bytes)
        case .unsigned(let value): append("<integer>", value.description, "</integer>\n", to: &bytes)
        case .real(let value): append("<real>", value.description, "</real>\n", to: &bytes)
        case .string(let value):
            append("<string>", to: &bytes)
            try append(escaping: value, to: &bytes)
            append("</string>\n", to: &bytes)
        case .data(let value): append("<data>", value.base64EncodedString(), "</data>\n", to: &bytes)
        case .date(let value):
            guard let date = PropertyListDate.text(value) else {
                throw PropertyListProblem("a date lies outside the years 0 to 9999")
            }
            append("<date>", date, "</date>\n", to: &bytes)
        case .uid: throw PropertyListProblem("XML has no references of keyed archives")
        case .array, .dictionary: break
        }
    }

    /// Appends the element of a key.
    static func append(key: String, to bytes: inout [UInt8]) throws(PropertyListProblem) {
        append("<key>", to: &bytes)
        try append(escaping: key, to: &bytes)
        append("</key>\n", to: &bytes)
    }

    private static func append(
        _ opening: StaticString,
        _ text: String,
        _ closing: StaticString,
        to bytes: inout [UInt8]
    ) {
        append(opening, to: &bytes)
        bytes += text.utf8
        append(closing, to: &bytes)
    }

    private static func append(_ text: StaticString, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static func append(escaping text: String, to bytes: inout [UInt8]) throws(PropertyListProblem) {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { text in
            guard text.allSatisfy({ $0 >= 0x20 && $0 < 0x80 && $0 != 0x26 && $0 != 0x3C && $0 != 0x3E }) else {
                return false
            }
            bytes.append(contentsOf: text)
            return true
        }
        if isPlain == true { return }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": append("&lt;", to: &bytes)
            case ">": append("&gt;", to: &bytes)
            case "&": append("&amp;", to: &bytes)
            case "\r": append("&#13;", to: &bytes)
            case "\t", "\n": bytes.append(UInt8(scalar.value))
            default:
                guard scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF else {
                    throw PropertyListProblem("XML cannot hold the character U+\(String(scalar.value, radix: 16))")
                }
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}
