/// Strings.
extension JSONScanner {
    mutating func string() throws(Failure) -> String {
        place += 1
        let start = place
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { place += 1 }
        var text = try text(from: start)
        while true {
            switch next {
            case UInt8(ascii: "\""):
                place += 1
                return text
            case UInt8(ascii: "\\"): text.unicodeScalars.append(try escape())
            case nil: throw failure("the text ends inside a string")
            default: throw failure("a control character must be escaped inside a string")
            }
            let start = place
            while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { place += 1 }
            text += try self.text(from: start)
        }
    }

    private func text(from start: Int) throws(Failure) -> String {
        guard let text = String(validating: bytes[start..<place], as: UTF8.self) else {
            throw failure("the string is no UTF-8")
        }
        return text
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        place += 1
        guard let byte = next else { throw failure("the text ends inside a string") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try hexadecimal()
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard first < 0xDC00, next == UInt8(ascii: "\\"), place + 1 < bytes.count,
                bytes[place + 1] == UInt8(ascii: "u")
            else { throw failure("half of a surrogate pair stands alone") }
            place += 2
            let second = try hexadecimal()
            guard (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw failure("half of a surrogate pair stands alone") }
            return scalar
        default:
            place -= 1
            throw failure("there is no such escape")
        }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("four hexadecimal digits must stand here")
            }
            code = code << 4 + UInt32(digit)
            place += 1
        }
        return code
    }
}
