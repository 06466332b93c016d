#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Replaces the values of some members in the text of JSON, whole or cut off, and leaves every other byte alone.
///
/// It walks over the bytes without taking the text apart, so that neither depth nor errors in it matter.
struct JSONRedaction {
    private let bytes: [UInt8]
    private var place = 0
    private var result: [UInt8] = []

    static func redacted(_ bytes: [UInt8], isSecret: (String) -> Bool) -> [UInt8] {
        var redaction = JSONRedaction(bytes: bytes)
        redaction.walk(isSecret)
        return redaction.result
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        result.reserveCapacity(bytes.count)
    }

    private mutating func walk(_ isSecret: (String) -> Bool) {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\"") else {
                result.append(bytes[place])
                place += 1
                continue
            }
            let start = place
            skipString()
            let name = start..<place
            skipBlanks()
            guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
                result += bytes[start..<place]
                continue
            }
            place += 1
            skipBlanks()
            result += bytes[start..<place]
            guard isSecret(JSONRedaction.text(bytes[name])) else { continue }
            let value = place
            skipValue()
            let isNull = bytes[value..<place].elementsEqual("null".utf8)
            result += isNull ? Array(bytes[value..<place]) : Array("\"\(Redaction.mark)\"".utf8)
        }
    }

    private mutating func skipBlanks() {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    }

    /// From a quote to behind the one that ends it.
    private mutating func skipString() {
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
    }

    private mutating func skipValue() {
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 0 { return }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                place += 1
                if depth == 0 { return }
            case UInt8(ascii: ",") where depth == 0: return
            case ...0x20 where depth == 0: return
            default: place += 1
            }
        }
    }

    /// The text of a string with its quotes.
    private static func text(_ string: ArraySlice<UInt8>) -> String {
        if string.contains(UInt8(ascii: "\\")),
            let text = try? JSONDecoder().decode(String.self, from: Data(string))
        {
            return text
        }
        return String(decoding: string.dropFirst().dropLast(), as: UTF8.self)
    }
}
