/// What a terminal can do, as its environment tells and as it answered.
public struct TerminalCapabilities: Hashable, Sendable {
    /// The colours it shows; `none` where the user set NO_COLOR.
    public var colorDepth: ColorDepth
    /// Whether it understands cursor movement at all; a dumb terminal and a pipe get plain lines instead.
    public var isFullScreen: Bool
    /// Whether it knows synchronized updates (mode 2026); nil until it has answered.
    public var synchronizedOutput: Bool?
    /// Whether it draws kitty graphics; false until it has answered.
    public var kittyGraphics: Bool
    /// Whether it draws sixel graphics; false until it has answered.
    public var sixelGraphics: Bool
    /// Whether its locale encodes text as UTF-8.
    public var isUnicode: Bool

    /// Capabilities told one by one.
    public init(
        colorDepth: ColorDepth,
        isFullScreen: Bool = true,
        synchronizedOutput: Bool? = nil,
        kittyGraphics: Bool = false,
        sixelGraphics: Bool = false,
        isUnicode: Bool = true
    ) {
        self.colorDepth = colorDepth
        self.isFullScreen = isFullScreen
        self.synchronizedOutput = synchronizedOutput
        self.kittyGraphics = kittyGraphics
        self.sixelGraphics = sixelGraphics
        self.isUnicode = isUnicode
    }

    /// What the environment tells: `NO_COLOR` (set and not empty), `COLORTERM`, `TERM`, `LC_ALL`, `LC_CTYPE`, `LANG`.
    public init(environment: [String: String], isTerminal: Bool = true) {
        let term = environment["TERM"] ?? ""
        let isDumb = term.isEmpty || term == "dumb" || term == "unknown"
        self.init(
            colorDepth: TerminalCapabilities.depth(environment, term: term, isDumb: isDumb),
            isFullScreen: isTerminal && !isDumb
        )
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        // No locale at all is what containers have, and their terminals speak UTF-8.
        isUnicode =
            locale.map { $0.lowercased().contains("utf-8") || $0.lowercased().contains("utf8") || $0 == "C" } ?? true
    }

    /// Takes in an answer of the terminal; returns whether it was the last of those asked for (DA1).
    public mutating func take(_ reply: TerminalReply) -> Bool {
        switch reply {
        case .mode(number: 2026, let state):
            synchronizedOutput = state != 0 && state != 4
            return false
        case .graphics(let answer):
            if answer.hasSuffix(";OK") { kittyGraphics = true }
            return false
        case .deviceAttributes(let attributes):
            if attributes.contains(4) { sixelGraphics = true }
            if synchronizedOutput == nil { synchronizedOutput = false }
            return true
        case .mode, .cursor, .operatingSystem:
            return false
        }
    }

    /// The questions, fenced by DA1: every terminal answers the last one, and so silence before it is an answer too.
    static let questions =
        "\u{1B}[?2026$p" + "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + "\u{1B}[c"

    private static func depth(_ environment: [String: String], term: String, isDumb: Bool) -> ColorDepth {
        if isDumb || environment["NO_COLOR"]?.isEmpty == false { return .none }
        let colorTerm = environment["COLORTERM"]?.lowercased() ?? ""
        if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct") { return .trueColor }
        let modern = ["kitty", "ghostty", "alacritty", "foot", "wezterm", "iterm", "contour"]
        if modern.contains(where: { term.contains($0) }) { return .trueColor }
        if term.contains("256") { return .indexed256 }
        if term.hasPrefix("vt") || term.hasSuffix("-m") || term.hasSuffix("-mono") { return .none }
        return .indexed16
    }
}

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
