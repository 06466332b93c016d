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
