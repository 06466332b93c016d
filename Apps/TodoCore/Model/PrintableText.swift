/// A text from outside as it may be shown in a message: control characters written out, long ones cut.
///
/// - Parameters:
///   - text: any text.
///   - limit: the most characters that are kept.
/// - Returns: the text without anything a terminal would act on.
func printable(_ text: String, limit: Int = 80) -> String {
    var shown = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
        guard count < limit else { return shown + "…" }
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
            shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        default:
            shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}
