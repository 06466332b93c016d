import Checksums

/// File names for identifiers: none refers to a file outside the folder, no two identifiers have the same name, even
/// on a file system that folds case or normalises Unicode, and none is too long.
///
/// Lower-case ASCII letters, digits, `-`, `_` and a `.` that is not the first byte are unchanged; every other byte of
/// the UTF-8 form is `%XX`. A name longer than ``longest`` is cut and followed by `%~` and the SHA-256 of the
/// identifier; the identifier cannot be read from such a name.
enum SafeFileName {
    /// The maximum length of a name without suffixes, in bytes; most file systems allow 255.
    static let longest = 180

    /// Returns the name for an identifier.
    static func name(for identifier: String) -> String {
        var bytes: [UInt8] = []
        for (index, byte) in identifier.utf8.enumerated() {
            if isPlain(byte) || (byte == UInt8(ascii: ".") && index > 0) {
                bytes.append(byte)
            } else {
                bytes += escaped(byte)
            }
        }
        guard bytes.count > longest else { return String(decoding: bytes, as: UTF8.self) }
        var start = bytes.prefix(longest - 66)
        // An escape sequence is not cut.
        if let percent = start.lastIndex(of: UInt8(ascii: "%")), start.count - percent < 3 { start = start[..<percent] }
        let digest = SHA256.digest(of: identifier.utf8).flatMap { [digit($0 >> 4), digit($0 & 15)] }
        return String(decoding: start, as: UTF8.self) + "%~" + String(decoding: digest, as: UTF8.self)
    }

    /// Returns the name of a folder for a text, with its capital letters as they are: the name then ends in `~` and a
    /// hexadecimal digit for every four bytes, whose bits say which of them are capitals.
    static func folderName(for text: String) -> String {
        var bytes: [UInt8] = []
        var capitals: [UInt8] = []
        for (index, byte) in text.utf8.enumerated() {
            if index.isMultiple(of: 4) { capitals.append(0) }
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isCapital { capitals[index / 4] |= 1 << UInt8(index % 4) }
            bytes += isCapital || isPlain(byte) || (byte == UInt8(ascii: ".") && index > 0) ? [byte] : escaped(byte)
        }
        while capitals.last == 0 { capitals.removeLast() }
        if !capitals.isEmpty { bytes += [UInt8(ascii: "~")] + capitals.map(digit) }
        return bytes.count > longest ? name(for: text) : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether the identifier cannot be read from the name.
    static func isHashed(_ name: String) -> Bool {
        let end = name.utf8.suffix(66)
        return end.count == 66 && end.starts(with: "%~".utf8) && end.dropFirst(2).allSatisfy { value($0) != nil }
    }

    /// Returns the identifier with a name, or `nil` if no identifier has it or the name is hashed.
    static func identifier(of name: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard let identifier = String(validating: bytes, as: UTF8.self), self.name(for: identifier) == name else {
            return nil
        }
        return identifier
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
