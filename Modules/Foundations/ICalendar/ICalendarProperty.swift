/// A property of iCalendar: `DUE;TZID=Europe/Berlin:20260309T150000`.
package struct ICalendarProperty: Sendable, CustomStringConvertible {
    /// A parameter, with its values without quotes and without the escapes of RFC 6868.
    package struct Parameter: Hashable, Sendable {
        /// The name in upper case.
        package let name: String
        /// The values; one is usual.
        package let values: [String]
    }

    /// The name in upper case.
    package let name: String
    /// The parameters, in the order of the text.
    package let parameters: [Parameter]
    /// The value as it is written, with its escapes.
    package let value: String
    /// The number of its first line, counted from 1.
    package let line: Int
    /// The unfolded text before the colon.
    private let head: String
    /// The bytes that were read, with folds and line end; `nil` for a new property.
    let source: ArraySlice<UInt8>?

    /// Creates a property. Line breaks and other control characters of the value, but tabs, are removed.
    package init(_ name: String, _ parameters: [(name: String, value: String)] = [], value: String) {
        self.name = name.uppercased()
        self.parameters = parameters.map { Parameter(name: $0.name.uppercased(), values: [$0.value]) }
        let isValid = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        self.value = isValid ? value : String(String.UnicodeScalarView(value.unicodeScalars.filter(Self.isAllowed)))
        head = self.name + parameters.map { ";\($0.name.uppercased())=\(Self.encoded($0.value))" }.joined()
        (line, source) = (1, nil)
    }

    /// Creates a property whose value is a text.
    package init(_ name: String, text: String) { self.init(name, value: ICalendarText.escaped(text)) }

    /// Parses an unfolded line; `nil` if it has no colon or no name.
    package init?(line text: String) { self.init(Array(text.utf8)[...], line: 1, source: nil) }

    /// Parses an unfolded line of valid UTF-8.
    init?(_ bytes: ArraySlice<UInt8>, line: Int, source: ArraySlice<UInt8>?) {
        var isQuoted = false
        var ends: [Int] = []
        var colon: Int?
        for (index, byte) in zip(bytes.indices, bytes) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard !isQuoted else { continue }
            if byte == UInt8(ascii: ";") { ends.append(index) }
            if byte == UInt8(ascii: ":") {
                colon = index
                break
            }
        }
        guard let colon, colon > bytes.startIndex, ends.first != bytes.startIndex else { return nil }
        ends.append(colon)
        name = String(decoding: bytes[..<ends[0]], as: UTF8.self).uppercased()
        parameters = zip(ends, ends.dropFirst()).compactMap { start, end in Self.parameter(bytes[(start + 1)..<end]) }
        head = String(decoding: bytes[..<colon], as: UTF8.self)
        value = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
        (self.line, self.source) = (line, source)
    }

    /// Returns the property with another value; its parameters retain their text.
    package func replacing(value: String) -> ICalendarProperty {
        ICalendarProperty(Array("\(head):\(value)".utf8)[...], line: line, source: nil) ?? self
    }

    var withoutSource: ICalendarProperty { replacing(value: value) }

    /// Returns the first value of a parameter, whose name is in upper case.
    package subscript(_ parameter: String) -> String? { parameters.first { $0.name == parameter }?.values.first }

    /// The unfolded line.
    package var text: String { head + ":" + value }

    package var description: String { text }

    /// The value as a text, without escapes.
    package var plainText: String { ICalendarText.unescaped(value) }

    /// Whether name, parameters and value are equal; the order and the case of names are ignored.
    package func isEquivalent(to other: ICalendarProperty) -> Bool {
        name == other.name && value == other.value && Set(parameters) == Set(other.parameters)
    }

    private static func isAllowed(_ scalar: UnicodeScalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t"
    }

    // MARK: Parameters

    private static func parameter(_ bytes: ArraySlice<UInt8>) -> Parameter? {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        var values: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in bytes[(equals + 1)...] {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: values.append([])
            default: values[values.count - 1].append(byte)
            }
        }
        return Parameter(
            name: String(decoding: bytes[..<equals], as: UTF8.self).uppercased(),
            values: values.map { decoded(String(decoding: $0, as: UTF8.self)) }
        )
    }

    /// Decodes the escapes of RFC 6868; others remain as they are.
    private static func decoded(_ text: String) -> String {
        guard text.contains("^") else { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let escapes: [UnicodeScalar: String] = ["n": "\n", "^": "^", "'": "\""]
            if scalar == "^", let next = rest.first, let character = escapes[next] {
                result += character
                rest.removeFirst()
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func encoded(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "^": result += "^^"
            case "\"": result += "^'"
            case "\n": result += "^n"
            default: if isAllowed(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return result.contains { ":;,".contains($0) } ? "\"\(result)\"" : result
    }
}
