#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Words of a shell's command line.
enum ShellText {
    /// A text as one word: bare, in single quotes, or in `$'...'` where it holds what a terminal should not see.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isBare) { return text }
        if text.withVisibleControls == text {
            return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
        }
        return escaped(Data(text.utf8))
    }

    /// Bytes without a zero as one word.
    static func quoted(_ data: Data) -> String {
        guard let text = String(validating: data, as: UTF8.self) else { return escaped(data) }
        return quoted(text)
    }

    /// A duration as curl takes it.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded(.up))
        let rest = milliseconds % 1_000
        return rest == 0 ? "\(milliseconds / 1_000)" : "\(Double(milliseconds) / 1_000)"
    }

    private static func escaped(_ bytes: Data) -> String {
        var word = "$'"
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): word += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7f: word += String(UnicodeScalar(byte))
            // Three octal digits always, so that a digit that follows is not taken in.
            default: word += "\\" + String(byte >> 6) + String(byte >> 3 & 7) + String(byte & 7)
            }
        }
        return word + "'"
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ","), UInt8(ascii: "@"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
