import EssentialFoundation

/// Writes the XML format with the layout of Apple's tools. Equal trees have equal bytes.
struct XMLPropertyListWriter {
    private var bytes: [UInt8] = []

    static func write(_ value: PropertyListValue) throws(PropertyListProblem) -> [UInt8] {
        var writer = XMLPropertyListWriter()
        writer.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        )
        try writer.write(value, 0)
        writer.append("</plist>\n")
        return writer.bytes
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func appendIndent(_ depth: Int) { bytes.append(contentsOf: repeatElement(0x09, count: depth)) }

    private mutating func write(_ value: PropertyListValue, _ depth: Int) throws(PropertyListProblem) {
        guard depth < PropertyListProblem.depthLimit else { throw .tooDeep }
        appendIndent(depth)
        switch value {
        case .bool(let value): append(value ? "<true/>\n" : "<false/>\n")
        case .integer(let value): append("<integer>\(value)</integer>\n")
        case .unsigned(let value): append("<integer>\(value)</integer>\n")
        case .real(let value): append("<real>\(value)</real>\n")
        case .string(let value):
            append("<string>")
            try append(escaping: value)
            append("</string>\n")
        case .data(let value): append("<data>\(value.base64EncodedString())</data>\n")
        case .date(let value):
            guard let date = PropertyListDate.text(value) else {
                throw PropertyListProblem("a date lies outside the years 0 to 9999")
            }
            append("<date>\(date)</date>\n")
        case .uid: throw PropertyListProblem("XML has no references of keyed archives")
        case .array(let values):
            append("<array>\n")
            for value in values { try write(value, depth + 1) }
            appendIndent(depth)
            append("</array>\n")
        case .dictionary(let values):
            append("<dict>\n")
            for (key, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                appendIndent(depth + 1)
                append("<key>")
                try append(escaping: key)
                append("</key>\n")
                try write(value, depth + 1)
            }
            appendIndent(depth)
            append("</dict>\n")
        }
    }

    private mutating func append(escaping text: String) throws(PropertyListProblem) {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x80 && $0 != 0x26 && $0 != 0x3C && $0 != 0x3E }) {
            return append(text)
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "&": append("&amp;")
            case "\r": append("&#13;")
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
