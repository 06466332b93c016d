/// What is asked of a terminal while the application has it.
public struct TerminalModes: Hashable, Sendable {
    /// Whether clicks, drags and the wheel are reported (SGR 1006); off, the terminal selects text itself.
    public var mouse: Bool
    /// Whether a paste is bracketed, so that it comes as one event.
    public var bracketedPaste: Bool
    /// Whether the window's focus is reported.
    public var focus: Bool
    /// Whether the alternate screen is used, so that what was there before comes back.
    public var alternateScreen: Bool

    /// Everything on, unless told otherwise.
    public init(mouse: Bool = true, bracketedPaste: Bool = true, focus: Bool = true, alternateScreen: Bool = true) {
        self.mouse = mouse
        self.bracketedPaste = bracketedPaste
        self.focus = focus
        self.alternateScreen = alternateScreen
    }

    /// The bytes that begin it.
    var enter: [UInt8] {
        var text = alternateScreen ? "\u{1B}[?1049h" : ""
        text += "\u{1B}[?25l"
        if mouse { text += "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" }
        if bracketedPaste { text += "\u{1B}[?2004h" }
        if focus { text += "\u{1B}[?1004h" }
        return Array(text.utf8)
    }

    /// The bytes that end it, whatever sequence they break into: ST first ends a string that was begun.
    var leave: [UInt8] {
        var text = "\u{1B}\\\u{1B}[?2026l"
        if mouse { text += "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" }
        if focus { text += "\u{1B}[?1004l" }
        if bracketedPaste { text += "\u{1B}[?2004l" }
        text += "\u{1B}[m\u{1B}[?25h"
        if alternateScreen { text += "\u{1B}[?1049l" }
        return Array(text.utf8)
    }
}
