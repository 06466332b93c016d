extension UUID {
    /// Returns a random UUID (RFC 9562, version 4). `init()` of FoundationEssentials opens `/dev/urandom` each time.
    static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next() & ~0xF000 | 0x4000, generator.next() & ~(0b11 << 62) | 0b10 << 62)
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Creates a UUID from the form of RFC 9562, with digits in upper or lower case; `nil` for every other text.
    init?(text: String) {
        var text = text
        guard let uuid = text.withUTF8({ UUID(text: $0) }) else { return nil }
        self = uuid
    }

    /// Creates a UUID from the form of RFC 9562 in UTF-8, with digits in upper or lower case; `nil` for every other text.
    ///
    /// It takes a small part of the time of `init(uuidString:)`, which also accepts some malformed texts: a store reads
    /// one for each todo.
    init?(text: UnsafeBufferPointer<UInt8>) {
        let dash = UInt8(ascii: "-")
        guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash
        else { return nil }
        let raw = UnsafeRawBufferPointer(text)
        func word(_ first: Int, _ second: Int) -> UInt64 {
            UInt64(raw.loadUnaligned(fromByteOffset: first, as: UInt32.self).littleEndian)
                | UInt64(raw.loadUnaligned(fromByteOffset: second, as: UInt32.self).littleEndian) << 32
        }
        guard let first = HexWord.bytes(of: word(0, 4)), let second = HexWord.bytes(of: word(9, 14)),
            let third = HexWord.bytes(of: word(19, 24)), let fourth = HexWord.bytes(of: word(28, 32))
        else { return nil }
        let words = (first.littleEndian, second.littleEndian, third.littleEndian, fourth.littleEndian)
        self.init(uuid: unsafeBitCast(words, to: uuid_t.self))
    }

    /// The text in lower case, as other programs write it.
    package var text: String { text(uppercase: false) }

    /// The text in upper case, as `uuidString` is, which takes several times as long.
    var uppercaseText: String { text(uppercase: true) }

    private func text(uppercase: Bool) -> String {
        let words = unsafeBitCast(uuid, to: (UInt32, UInt32, UInt32, UInt32).self)
        return String(unsafeUninitializedCapacity: 36) { text in
            let raw = UnsafeMutableRawBufferPointer(text)
            func put(_ word: UInt32, _ first: Int, _ second: Int) {
                let digits = HexWord.digits(of: word.littleEndian, uppercase: uppercase)
                let (low, high) = (UInt32(truncatingIfNeeded: digits), UInt32(digits >> 32))
                raw.storeBytes(of: low.littleEndian, toByteOffset: first, as: UInt32.self)
                raw.storeBytes(of: high.littleEndian, toByteOffset: second, as: UInt32.self)
            }
            put(words.0, 0, 4)
            put(words.1, 9, 14)
            put(words.2, 19, 24)
            put(words.3, 28, 32)
            for place in [8, 13, 18, 23] { text[place] = UInt8(ascii: "-") }
            return 36
        }
    }
}

/// Eight hexadecimal digits in a word, the first one in its lowest byte, all of them converted by each operation.
private enum HexWord {
    /// Returns the four bytes that eight ASCII digits describe, the first one in the lowest byte; `nil` for other
    /// characters.
    static func bytes(of characters: UInt64) -> UInt32? {
        let lowercase = characters | each(0x20)
        let values = (lowercase & each(0x0F)) + (lowercase >> 6 & each(1)) * 9
        // Which characters are no digits is seen by converting the values back. What the case bit makes of control
        // characters are digits, too.
        guard values & each(0xF0) == 0, digits(ofValues: values, uppercase: false) == lowercase,
            (characters | characters >> 1) & each(0x20) == each(0x20)
        else { return nil }
        var bytes = (values << 4 | values >> 8) & 0x00FF_00FF_00FF_00FF
        bytes = (bytes | bytes >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: bytes | bytes >> 16)
    }

    /// Returns the eight ASCII digits of four bytes.
    static func digits(of bytes: UInt32, uppercase: Bool) -> UInt64 {
        var spread = UInt64(bytes)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        return digits(ofValues: (spread >> 4 | spread << 8) & each(0x0F), uppercase: uppercase)
    }

    private static func digits(ofValues values: UInt64, uppercase: Bool) -> UInt64 {
        let letterOffset = UInt64(UInt8(ascii: uppercase ? "A" : "a") - UInt8(ascii: "0") - 10)
        return values + each(0x30) + ((values + each(6)) >> 4 & each(1)) * letterOffset
    }

    /// Returns a word of eight equal bytes.
    @inline(__always)
    private static func each(_ byte: UInt64) -> UInt64 { byte * 0x0101_0101_0101_0101 }
}
