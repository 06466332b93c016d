#if canImport(Darwin)
    import Foundation
#else
    // The standard library has the normal forms, without a public name: Foundation would be half of a program that needs it
    // for nothing else. The SDKs of Apple platforms do not have this interface, and Foundation is part of the system there.
    @_spi(_Unicode) import Swift
#endif

extension Unicode.Scalar {
    /// Whether the scalar is a control character in the sense of messages, logs and terminals.
    ///
    /// These are the C0 and C1 controls and DEL, which a terminal acts on; the line and paragraph separators, which begin
    /// a new line of a log; and the marks, embeddings, overrides and isolates of the Unicode bidirectional algorithm
    /// (UAX #9) with the deprecated format characters behind them, which change the order in which the text around them
    /// is displayed.
    package var isControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x206F: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether the text contains a control character; see ``Swift/Unicode/Scalar/isControl``.
    package var containsControls: Bool {
        // Most texts have none of the bytes with which control characters begin. A loop over a buffer is not generic.
        let mayContain =
            utf8.withContiguousStorageIfAvailable { bytes in
                bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }
            } ?? true
        return mayContain && unicodeScalars.contains(where: \.isControl)
    }

    /// The text in normalization form C of UAX #15: a letter with a mark and a Hangul syllable are one scalar where there is
    /// one, whichever form a person's keyboard, a file system or another program wrote.
    package var composed: String {
        #if canImport(Darwin)
            return String(self).precomposedStringWithCanonicalMapping
        #else
            var scalars = String.UnicodeScalarView()
            for scalar in String(self)._nfc { scalars.append(scalar) }
            return String(scalars)
        #endif
    }

    /// Returns the text without its control characters.
    package func removingControls() -> String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isControl }))
    }

    /// Returns the text with each control character written as an escape, such as `\u{1B}`.
    ///
    /// The result can be displayed on a terminal and written to a log: it moves no cursor, changes no colour, starts no
    /// line and does not reorder the text around it.
    ///
    /// - Parameter limit: the maximum number of Unicode scalars taken from the text; `…` replaces the rest.
    /// - Returns: the escaped text.
    package func escapingControls(limit: Int = .max) -> String {
        guard containsControls || utf8.count > limit && unicodeScalars.dropFirst(limit).first != nil else {
            return String(self)
        }
        var escaped = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            guard count < limit else { return escaped + "…" }
            if scalar.isControl {
                escaped += "\\u{" + Hexadecimal.string(of: scalar.value, uppercase: true) + "}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns the text in double quotation marks, with its control characters escaped, for use inside a message.
    ///
    /// - Parameter limit: the maximum number of Unicode scalars taken from the text; `…` replaces the rest.
    /// - Returns: the quoted text.
    package func quoted(limit: Int = 80) -> String { "\"" + escapingControls(limit: limit) + "\"" }
}

/// Conversions between numbers and hexadecimal digits.
///
/// It is public so that conversions can be inlined; the target is not a product.
public enum Hexadecimal {
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
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
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

    /// Returns the ASCII digit of a value from 0 to 15, in lower case by default.
    @inlinable
    @inline(__always)
    public static func digit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
        guard value > 9 else { return UInt8(ascii: "0") + value }
        return UInt8(ascii: uppercase ? "A" : "a") + value - 10
    }

    /// Returns the value of an ASCII digit (0 to 15), or `nil` if the byte is not a hexadecimal digit.
    @inlinable
    @inline(__always)
    public static func value(ofDigit byte: UInt8) -> UInt8? {
        // Without branches, whose outcome is random for random digits.
        let digit = byte &- UInt8(ascii: "0")
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        let value = min(digit < 10 ? digit : .max, letter < 6 ? letter + 10 : .max)
        return value < 16 ? value : nil
    }
}
