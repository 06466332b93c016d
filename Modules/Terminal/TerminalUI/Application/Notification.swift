internal import TextEscaping

extension Window {
    /// Has the terminal ring its bell and, where it supports that, notify the user outside of it.
    ///
    /// The sequences are OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) and OSC 777 (VTE, foot, Ghostty, urxvt); other terminals
    /// ignore both. The screen does not change.
    ///
    /// - Parameters:
    ///   - title: the title. Like the text, it may come from outside: control characters and those that change the direction of
    ///     the text are omitted, and at most 200 characters are sent.
    ///   - text: the text below the title.
    public func notify(_ title: String, _ text: String) {
        let (title, text) = (Self.harmless(title), Self.harmless(text))
        // A semicolon ends the title of OSC 777. OSC 9 with a number at its beginning means something else.
        let first = title.split(separator: ";").joined(separator: ",")
        application?.sendOutOfBand([
            "\u{07}", "\u{1B}]9;\(title): \(text)\u{1B}\\", "\u{1B}]777;notify;\(first);\(text)\u{1B}\\",
        ])
    }

    private static func harmless(_ text: String) -> String { String(text.removingControls().prefix(200)) }
}
