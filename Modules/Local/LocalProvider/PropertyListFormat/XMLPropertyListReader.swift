import EssentialFoundation

/// Reads the XML format strictly: UTF-8, the elements of Apple's DTD, the five entities and character references. No
/// entity is ever defined or fetched.
struct XMLPropertyListReader {
    private let bytes: [UInt8]
    private var position = 0

    static func read(_ bytes: [UInt8]) throws(PropertyListProblem) -> PropertyListValue {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw PropertyListProblem("it is neither a binary property list nor text in UTF-8")
        }
        var reader = XMLPropertyListReader(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        try reader.skipProlog()
        guard let tag = try reader.tag(), tag.name == "plist", !tag.isClosing, !tag.isEmpty else {
            throw reader.problem("it does not begin with <plist>")
        }
        guard let value = try reader.value(depth: 0) else { throw reader.problem("<plist> holds no value") }
        try reader.close(tag)
        try reader.skipProlog()
        guard reader.position == bytes.count else { throw reader.problem("text follows </plist>") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Values

    /// Returns the next value, or `nil` before a closing tag, which is not read.
    private mutating func value(depth: Int) throws(PropertyListProblem) -> PropertyListValue? {
        try skipSpace()
        let start = position
        guard let tag = try tag() else { throw problem("text is in place of a value") }
        if tag.isClosing {
            position = start
            return nil
        }
        guard depth < PropertyListProblem.depthLimit else { throw problem(PropertyListProblem.tooDeep.detail) }
        switch tag.name {
        case "dict": return .dictionary(tag.isEmpty ? [:] : try dictionary(tag, depth))
        case "array": return .array(tag.isEmpty ? [] : try array(tag, depth))
        case "true", "false":
            if !tag.isEmpty { try close(tag) }
            return .bool(tag.name == "true")
        case "string": return .string(try text(tag))
        case "integer": return try integer(try text(tag))
        case "real": return .real(try real(try text(tag)))
        case "date": return .date(try date(try text(tag)))
        case "data": return .data(try data(try text(tag)))
        default: throw problem("<\(tag.name.prefix(40))> is not an element of a property list")
        }
    }

    private mutating func array(_ opening: Tag, _ depth: Int) throws(PropertyListProblem) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        while let value = try value(depth: depth + 1) { values.append(value) }
        try close(opening)
        return values
    }

    private mutating func dictionary(
        _ opening: Tag,
        _ depth: Int
    ) throws(PropertyListProblem) -> [String: PropertyListValue] {
        var values = [String: PropertyListValue](minimumCapacity: 8)
        while true {
            try skipSpace()
            let start = position
            guard let tag = try tag() else { throw problem("text is in place of a <key>") }
            if tag.isClosing {
                position = start
                break
            }
            guard tag.name == "key" else { throw problem("a <dict> has a value without a <key>") }
            let key = try text(tag)
            guard let value = try value(depth: depth + 1) else { throw problem("a <key> has no value") }
            values[key] = value
        }
        try close(opening)
        return values
    }

    private func integer(_ text: String) throws(PropertyListProblem) -> PropertyListValue {
        let digits = Self.trim(text)
        let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHex, let value = UInt64(digits.dropFirst(2), radix: 16) {
            return value > UInt64(Int64.max) ? .unsigned(value) : .integer(Int64(value))
        }
        if let value = Int64(digits) { return .integer(value) }
        if let value = UInt64(digits) { return .unsigned(value) }
        throw problem("an <integer> is not an integer of 64 bits")
    }

    private func real(_ text: String) throws(PropertyListProblem) -> Double {
        guard let value = Double(Self.trim(text)) else { throw problem("a <real> is not a number") }
        return value
    }

    private func date(_ text: String) throws(PropertyListProblem) -> Date {
        guard let date = PropertyListDate.date(Self.trim(text)) else {
            throw problem("a <date> is not written 2026-03-09T12:30:00Z")
        }
        return date
    }

    private func data(_ text: String) throws(PropertyListProblem) -> Data {
        let digits = String(text.filter { !$0.isWhitespace })
        guard let data = Data(base64Encoded: digits) else { throw problem("a <data> is not base64") }
        return data
    }

    // MARK: Markup

    private struct Tag {
        var name = ""
        /// The place of the name.
        var place = 0..<0
        var isClosing = false
        var isEmpty = false
    }

    /// Returns the tag at the position, or `nil` for other text.
    private mutating func tag() throws(PropertyListProblem) -> Tag? {
        guard peek() == UInt8(ascii: "<") else { return nil }
        let start = position
        position += 1
        var tag = Tag()
        if peek() == UInt8(ascii: "/") {
            tag.isClosing = true
            position += 1
        }
        let nameStart = position
        while let byte = peek(), byte | 0x20 >= UInt8(ascii: "a"), byte | 0x20 <= UInt8(ascii: "z") { position += 1 }
        tag.place = nameStart..<position
        tag.name = String(decoding: bytes[tag.place], as: UTF8.self)
        if peek() == UInt8(ascii: ">"), position > nameStart {
            position += 1
            return tag
        }
        // Attributes (the version of <plist>) are ignored.
        var quote: UInt8?
        while let byte = peek() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                tag.isEmpty = bytes[position - 1] == UInt8(ascii: "/") && position - 1 > start
                position += 1
                guard !tag.name.isEmpty, !(tag.isClosing && tag.isEmpty) else { break }
                return tag
            } else if byte == UInt8(ascii: "<") {
                break
            }
            position += 1
        }
        position = start
        throw problem("a tag is incomplete")
    }

    /// Skips the tag that closes the element.
    private mutating func close(_ opening: Tag) throws(PropertyListProblem) {
        try skipSpace()
        // The tag as it is usually written.
        let (start, end) = (position + 2, position + 2 + opening.place.count)
        if end < bytes.count, bytes[end] == UInt8(ascii: ">"), bytes[start - 1] == UInt8(ascii: "/"),
            bytes[start - 2] == UInt8(ascii: "<"),
            zip(start..<end, opening.place).allSatisfy({ bytes[$0] == bytes[$1] })
        {
            position = end + 1
            return
        }
        guard let tag = try tag(), tag.isClosing, tag.name == opening.name else {
            throw problem("</\(opening.name)> is missing")
        }
    }

    /// Returns the text up to the closing tag, with references and CDATA resolved.
    private mutating func text(_ tag: Tag) throws(PropertyListProblem) -> String {
        if tag.isEmpty { return "" }
        // Usually there are no references.
        let start = position
        skipPlainText()
        if peek() == UInt8(ascii: "<"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "/") {
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            try close(tag)
            return text
        }
        var text = Array(bytes[start..<position])
        while let byte = peek() {
            if byte == UInt8(ascii: "&") {
                text += try reference()
            } else if byte != UInt8(ascii: "<") {
                let start = position
                skipPlainText()
                text += bytes[start..<position]
            } else if skip("<![CDATA[") {
                let end = try find("]]>")
                text += bytes[position..<end]
                position = end + 3
            } else if has("<!--") {
                try skipComment()
            } else {
                try close(tag)
                return String(decoding: text, as: UTF8.self)
            }
        }
        throw problem("</\(tag.name)> is missing")
    }

    private mutating func skipPlainText() {
        while let byte = peek(), byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") { position += 1 }
    }

    private mutating func reference() throws(PropertyListProblem) -> String.UTF8View {
        let named: KeyValuePairs<StaticString, String> = [
            "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": "\"", "&apos;": "'",
        ]
        for (name, character) in named where skip(name) { return character.utf8 }
        let start = position
        guard skip("&#") else { throw problem("an entity is unknown") }
        let isHex = skip("x")
        let digitsStart = position
        while let byte = peek(), byte != UInt8(ascii: ";"), position - digitsStart < 10 { position += 1 }
        let digits = String(decoding: bytes[digitsStart..<position], as: UTF8.self)
        guard peek() == UInt8(ascii: ";"), let number = UInt32(digits, radix: isHex ? 16 : 10),
            let scalar = Unicode.Scalar(number), number > 0
        else {
            position = start
            throw problem("a character reference is invalid")
        }
        position += 1
        return String(scalar).utf8
    }

    private mutating func skipProlog() throws(PropertyListProblem) {
        while true {
            try skipSpace()
            if has("<?") {
                position = try find("?>") + 2
            } else if has("<!DOCTYPE") {
                let end = try find(">")
                // An internal subset could define entities.
                guard !bytes[position..<end].contains(UInt8(ascii: "[")) else {
                    throw problem("its document type has an internal subset")
                }
                position = end + 1
            } else {
                return
            }
        }
    }

    /// Skips white space and comments.
    private mutating func skipSpace() throws(PropertyListProblem) {
        while let byte = peek() {
            if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                position += 1
            } else if has("<!--") {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(PropertyListProblem) {
        position += 4
        position = try find("-->") + 3
    }

    private func find(_ text: StaticString) throws(PropertyListProblem) -> Int {
        let wanted = text.withUTF8Buffer { Array($0) }
        var index = position
        while index + wanted.count <= bytes.count {
            if bytes[index] == wanted[0], bytes[index..<index + wanted.count].elementsEqual(wanted) { return index }
            index += 1
        }
        throw problem("\(text) is missing")
    }

    private func has(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard has(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private func problem(_ detail: String) -> PropertyListProblem {
        PropertyListProblem(detail, at: position)
    }

    private static func trim(_ text: String) -> String {
        let isPlain = { (byte: UInt8) in byte > 0x20 && byte < 0x80 }
        if let first = text.utf8.first, let last = text.utf8.last, isPlain(first), isPlain(last) { return text }
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}
