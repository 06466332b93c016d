/// Texts of iCalendar: escapes, lists and folds (RFC 5545, sections 3.1 and 3.3.11).
package enum ICalendarText {
    /// The maximum length of a line in bytes, without its line end.
    package static let foldWidth = 75

    /// Returns a text without its escapes.
    package static func unescaped(_ value: some StringProtocol) -> String {
        var text = ""
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if isEscaped {
                text.unicodeScalars.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Returns a text with the escapes of a value. CRLF and CR are line breaks, too.
    package static func escaped(_ text: String) -> String {
        // Most texts are their own value.
        guard text.utf8.contains(where: { specials.contains($0) }) else { return text }
        var value = ""
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": value += "\\\(scalar)"
            case "\r": value += "\\n"
            case "\n": if !isAfterReturn { value += "\\n" }
            default: value.unicodeScalars.append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return value
    }

    private static let specials = Array("\\;,\r\n".utf8)

    /// Splits a list of texts at the commas that are not escaped; empty items are removed.
    package static func list(_ value: String) -> [String] {
        var items: [String] = [""]
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if scalar == ",", !isEscaped {
                items.append("")
            } else {
                items[items.count - 1].unicodeScalars.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return items.map { unescaped($0) }.filter { !$0.isEmpty }
    }

    /// Returns a line with its folds and its line end. No character is divided.
    package static func folded(_ line: String, lineEnd: String = "\r\n") -> String {
        guard line.utf8.count > foldWidth else { return line + lineEnd }
        var text = ""
        var width = 0
        for scalar in line.unicodeScalars {
            let size = UTF8.width(scalar)
            if width + size > foldWidth {
                text += lineEnd + " "
                width = 1
            }
            text.unicodeScalars.append(scalar)
            width += size
        }
        return text + lineEnd
    }
}
