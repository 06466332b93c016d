/// A position in JSON without white space. Each method returns `nil` or false if the next characters do not match.
struct JSONCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// Creates a cursor. `bytes` must be valid while it is used.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    /// Consumes a character if it is the next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Consumes a text if it is the next.
    mutating func take(_ text: [UInt8]) -> Bool {
        guard bytes.count - index >= text.count else { return false }
        for offset in 0..<text.count where bytes[index + offset] != text[offset] { return false }
        index += text.count
        return true
    }

    mutating func bool() -> Bool? {
        if take(Self.yes) { return true }
        return take(Self.no) ? false : nil
    }

    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)

    /// Parses exactly `count` digits.
    mutating func digits(_ count: Int) -> Int? {
        guard bytes.count - index >= count else { return nil }
        var value = 0
        for _ in 0..<count {
            guard let digit = digit else { return nil }
            value = value * 10 + digit
            index += 1
        }
        return value
    }

    private var digit: Int? {
        guard index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
        return Int(bytes[index] - UInt8(ascii: "0"))
    }

    /// Parses a number without an exponent, correctly rounded.
    mutating func number() -> Double? {
        let start = index
        let isNegative = take("-")
        let whole = index
        var mantissa: UInt64 = 0
        var isExact = true
        func add(_ digit: Int) {
            // A Double represents every integer up to 2^53.
            isExact = isExact && mantissa < 900_719_925_474_099
            mantissa = mantissa &* 10 &+ UInt64(digit)
        }
        while let digit {
            add(digit)
            index += 1
        }
        guard index > whole, index == whole + 1 || bytes[whole] != UInt8(ascii: "0") else { return nil }
        var places = 0
        if take(".") {
            while let digit {
                add(digit)
                places += 1
                index += 1
            }
            guard places > 0 else { return nil }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") { return nil }
        guard isExact, places < Self.powers.count else {
            return Double(String(decoding: bytes[start..<index], as: UTF8.self))
        }
        // Both operands are exact, so the division rounds correctly (Clinger, "How to read floating point
        // numbers accurately", PLDI 1990).
        let value = Double(mantissa) / Self.powers[places]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    ]

    /// Parses a string; `nil` if it contains code points that are escaped as numbers.
    mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                defer { index += 1 }
                return String(validating: bytes[start..<index], as: UTF8.self)
            case UInt8(ascii: "\\"):
                return escapedString(from: start)
            case 0..<0x20:
                return nil
            default:
                index += 1
            }
        }
        return nil
    }

    private mutating func escapedString(from start: Int) -> String? {
        var text = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard index < bytes.count, let meant = Self.meaning(of: bytes[index]) else { return nil }
                text.append(meant)
                index += 1
            case 0..<0x20:
                return nil
            default:
                text.append(byte)
            }
        }
        return nil
    }

    private static func meaning(of escaped: UInt8) -> UInt8? {
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): escaped
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: nil
        }
    }
}
