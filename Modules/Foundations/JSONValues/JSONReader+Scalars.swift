import TextEscaping

/// Numbers.
extension JSONReader {
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The digits of a number's mantissa: the first 18 significant ones as an integer, and the number of all of them.
    private struct Mantissa {
        var value: UInt64 = 0
        var digits = 0

        mutating func append(_ digit: UInt8) {
            if digits < 18 { value = value * 10 + UInt64(digit) }
            if digits > 0 || digit != 0 { digits += 1 }
        }
    }

    mutating func number() throws(JSONError) -> Number {
        let start = index
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var mantissa = Mantissa()
        let startsWithZero = next == UInt8(ascii: "0")
        let wholeDigits = readDigits(&mantissa)
        guard wholeDigits > 0 else { throw error("a value is expected", at: start) }
        guard !startsWithZero || wholeDigits == 1 else { throw error("a number must not begin with 0", at: start) }
        var exponent = 0
        var isInteger = true
        if next == UInt8(ascii: ".") {
            isInteger = false
            index += 1
            let fractionDigits = readDigits(&mantissa)
            guard fractionDigits > 0 else { throw error("a digit after the decimal point is expected") }
            exponent = -fractionDigits
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            exponent += try readExponent()
        }
        if isInteger, let integer = integer(start, isNegative, mantissa) { return integer }
        return .double(try double(start, isNegative, mantissa, exponent))
    }

    private mutating func readDigits(_ mantissa: inout Mantissa) -> Int {
        let start = index
        while let byte = next, byte >= 0x30, byte <= 0x39 {
            mantissa.append(byte - 0x30)
            index += 1
        }
        return index - start
    }

    private mutating func readExponent() throws(JSONError) -> Int {
        index += 1
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { index += 1 }
        var exponent = Mantissa()
        guard readDigits(&exponent) > 0 else { throw error("a digit in the exponent is expected") }
        let value = exponent.digits > 6 ? 999_999 : Int(exponent.value)
        return isNegative ? -value : value
    }

    private func integer(_ start: Int, _ isNegative: Bool, _ mantissa: Mantissa) -> Number? {
        // The integer zero has no sign.
        if isNegative, mantissa.digits == 0 { return nil }
        if mantissa.digits <= 18 {
            let value = Int64(mantissa.value)
            return .integer(isNegative ? -value : value)
        }
        guard mantissa.digits <= 20 else { return nil }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        return Int64(text).map(Number.integer) ?? UInt64(text).map(Number.unsigned)
    }

    private func double(
        _ start: Int,
        _ isNegative: Bool,
        _ mantissa: Mantissa,
        _ exponent: Int
    ) throws(JSONError) -> Double {
        // Both factors are represented exactly, so that their product or quotient is rounded only once (Clinger, "How to
        // read floating point numbers accurately", 1990).
        if mantissa.digits <= 18, mantissa.value <= 1 << 53, exponent >= -22, exponent <= 22 {
            let value =
                exponent < 0
                ? Double(mantissa.value) / Self.powersOfTen[-exponent]
                : Double(mantissa.value) * Self.powersOfTen[exponent]
            return isNegative ? -value : value
        }
        guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else {
            throw error("a number is expected", at: start)
        }
        return value
    }
}

/// Strings.
extension JSONReader {
    /// Reads a string without escapes and converts its bytes, without a `String` of them.
    ///
    /// - Parameter convert: returns the value of valid bytes; `nil` for others, among them those that are not UTF-8.
    /// - Returns: the value; `nil`, and nothing is read, for other strings, and if `convert` returns `nil`.
    package mutating func readPlainString<Value>(_ convert: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
        skipSpace()
        let start = index + 1
        guard next == UInt8(ascii: "\""), let end = JSONText.firstEscape(in: bytes, from: start),
            bytes[end] == UInt8(ascii: "\""), let value = convert(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        else { return nil }
        index = end + 1
        return value
    }

    /// Reads a string; the next byte is its opening quotation mark.
    mutating func string() throws(JSONError) -> String {
        index += 1
        let start = try plainText()
        if next == UInt8(ascii: "\"") {
            index += 1
            return start
        }
        var text = Array(start.utf8)
        while true {
            switch next {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += try escapedScalar().utf8
                text += try plainText().utf8
            case nil: throw error("the text ends inside a string")
            default: throw error("a control character inside a string must be escaped")
            }
        }
    }

    /// Reads up to the next quotation mark, escape or control character.
    ///
    /// - Throws: ``JSONError`` if the bytes are not valid UTF-8.
    private mutating func plainText() throws(JSONError) -> String {
        let start = index
        index = JSONText.firstEscape(in: bytes, from: start) ?? bytes.count
        let source = UnsafeBufferPointer(rebasing: bytes[start..<index])
        var text = String(decoding: source, as: UTF8.self)
        // `String(validating:)` takes several times as long. What is not valid was replaced.
        guard text.withUTF8({ JSONReader.isSame($0, source) }) else {
            throw error("the string is not valid UTF-8", at: start)
        }
        return text
    }

    private static func isSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let start = index
        index += 1
        guard let byte = next else { throw error("the text ends inside a string") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedCodePoint(start)
        default: throw error("this escape does not exist", at: start)
        }
    }

    private mutating func escapedCodePoint(_ start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A code point above U+FFFF is a pair of surrogates (RFC 8259, section 7).
        guard first < 0xDC00, next == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u")
        else { throw error("one half of a surrogate pair is missing", at: start) }
        index += 2
        let second = try codeUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error("one half of a surrogate pair is missing", at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Hexadecimal.value(ofDigit: byte) else {
                throw error("four hexadecimal digits are expected")
            }
            code = code << 4 + UInt32(digit)
            index += 1
        }
        return code
    }
}
