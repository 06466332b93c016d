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
    package var containsControls: Bool { unicodeScalars.contains(where: \.isControl) }

    /// Returns the text with each control character written as an escape, such as `\u{1B}`.
    ///
    /// The result can be displayed on a terminal and written to a log: it moves no cursor, changes no colour, starts no
    /// line and does not reorder the text around it.
    ///
    /// - Parameter limit: the maximum number of Unicode scalars taken from the text; `…` replaces the rest.
    /// - Returns: the escaped text.
    package func escapingControls(limit: Int = .max) -> String {
        guard containsControls || unicodeScalars.dropFirst(limit).first != nil else { return String(self) }
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
