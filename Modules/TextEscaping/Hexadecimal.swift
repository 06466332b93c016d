/// Conversions between numbers and hexadecimal digits.
package enum Hexadecimal {
    private static let lowercase = Array("0123456789abcdef".utf8)

    /// Returns two lower-case digits for each byte.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - separator: the text between the digits of two bytes.
    /// - Returns: the digits.
    package static func string(of bytes: some Sequence<UInt8>, separator: String = "") -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.underestimatedCount * (2 + separator.utf8.count))
        for byte in bytes {
            if !digits.isEmpty { digits += separator.utf8 }
            digits.append(lowercase[Int(byte >> 4)])
            digits.append(lowercase[Int(byte & 15)])
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the digits of a number, without a prefix.
    ///
    /// - Parameters:
    ///   - value: the number.
    ///   - digits: the minimum number of digits; zeros are added in front.
    ///   - uppercase: whether the digits above 9 are upper-case letters.
    /// - Returns: the digits.
    package static func string(of value: some UnsignedInteger, digits: Int = 1, uppercase: Bool = false) -> String {
        let text = String(value, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Returns the value of an ASCII digit (0 to 15), or `nil` if the byte is not a hexadecimal digit.
    @inlinable
    package static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
