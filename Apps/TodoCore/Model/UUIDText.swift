import TextEscaping

extension UUID {
    /// Returns a random UUID (RFC 9562, version 4). `init()` of FoundationEssentials opens `/dev/urandom` each time.
    static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next() & ~0xF000 | 0x4000, generator.next() & ~(0b11 << 62) | 0b10 << 62)
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Creates a UUID from the form of RFC 9562, with digits in upper or lower case; `nil` for every other text.
    ///
    /// It takes a tenth of the time of `init(uuidString:)`, which also accepts some malformed texts: a store reads one for
    /// each todo.
    init?(text: String) {
        var text = text
        let value = text.withUTF8 { bytes -> uuid_t? in
            guard bytes.count == 36 else { return nil }
            var value = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            let isValid = withUnsafeMutableBytes(of: &value) { value in
                var place = 0
                for index in value.indices {
                    if Self.isAfterDash(index) {
                        guard bytes[place] == UInt8(ascii: "-") else { return false }
                        place += 1
                    }
                    guard let high = Hexadecimal.value(ofDigit: bytes[place]),
                        let low = Hexadecimal.value(ofDigit: bytes[place + 1])
                    else { return false }
                    value[index] = high << 4 | low
                    place += 2
                }
                return true
            }
            return isValid ? value : nil
        }
        guard let value else { return nil }
        self.init(uuid: value)
    }

    /// The text in lower case, as other programs write it.
    package var text: String { text(uppercase: false) }

    /// The text in upper case, as `uuidString` is, which takes several times as long.
    var uppercaseText: String { text(uppercase: true) }

    private func text(uppercase: Bool) -> String {
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var place = 0
                for (index, byte) in bytes.enumerated() {
                    if Self.isAfterDash(index) {
                        text[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    text[place] = Hexadecimal.digit(byte >> 4, uppercase: uppercase)
                    text[place + 1] = Hexadecimal.digit(byte & 15, uppercase: uppercase)
                    place += 2
                }
                return place
            }
        }
    }

    /// Whether a dash stands before a byte of the text.
    private static func isAfterDash(_ index: Int) -> Bool { index == 4 || index == 6 || index == 8 || index == 10 }
}
