extension LayoutPicture {
    static func attributes(_ box: Box) -> String {
        "x=\"\(number(box.left))\" y=\"\(number(box.top))\""
            + " width=\"\(number(box.right - box.left))\" height=\"\(number(box.bottom - box.top))\""
    }

    static func text(_ text: Substring, _ style: String, _ left: Double, _ baseline: Double) -> String {
        "<text class=\"\(style)\" x=\"\(number(left))\" y=\"\(number(baseline))\">\(escaped(String(text)))</text>"
    }

    static func number(_ value: Double) -> String { LayoutEngine.text(value) }

    /// Text as XML takes it; what XML has no place for becomes the replacement character.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += " "
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE:
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
