public import Pictures

/// The capabilities of a terminal, from its environment variables and its replies.
public struct TerminalCapabilities: Hashable, Sendable {
    /// The number of colours; `none` if the user has set NO_COLOR.
    public var colorDepth: ColorDepth
    /// Whether the terminal can position its cursor. A dumb terminal and a pipe cannot.
    public var isFullScreen: Bool
    /// Whether synchronized updates (mode 2026) are supported; `nil` until the terminal has replied.
    public var synchronizedOutput: Bool?
    /// Whether kitty graphics are supported; false until the terminal has replied.
    public var kittyGraphics = false
    /// Whether sixel graphics are supported; false until the terminal has replied.
    public var sixelGraphics = false
    /// Whether the terminal reports keys in kitty's keyboard protocol; false until it has replied.
    public var keyboardProtocol = false
    /// Whether iTerm2's inline images are supported, from the environment variables.
    public var itermGraphics = false
    /// The height of a cell divided by its width; `nil` until the terminal has replied.
    public var cellAspect: Double?
    /// The size of a cell in pixels; `nil` until the terminal has replied.
    public var cellPixels: PixelSize?
    /// Whether runs of a character can be written as repetitions (REP), as the terminal's name says.
    public var repeatsCharacters = false
    /// Whether the cursor can be moved to a column or a row by its number (CHA and VPA), and an attribute ended without
    /// the others. DEC's VT100 and VT220 cannot.
    public var addressesColumns = true
    /// The maximum number of bytes of a control string, such as a link's address or a text for the clipboard; GNU screen
    /// shows the rest of a longer one as text.
    public var controlStringLimit = Int.max
    /// The terminal's background colour; `nil` until it has replied.
    public var background: Color?
    /// Whether the locale's encoding is UTF-8.
    public var isUnicode = true

    /// Creates capabilities from values.
    public init(colorDepth: ColorDepth, isFullScreen: Bool = true) {
        self.colorDepth = colorDepth
        self.isFullScreen = isFullScreen
    }

    /// Creates capabilities from environment variables: `NO_COLOR` (set and not empty), `COLORTERM`, `TERM`, `LC_ALL`,
    /// `LC_CTYPE` and `LANG`; `STY` and `TMUX` inside of GNU screen and tmux.
    public init(environment: [String: String], isTerminal: Bool = true) {
        let term = environment["TERM"] ?? ""
        let isDumb = term.isEmpty || term == "dumb" || term == "unknown"
        self.init(
            colorDepth: TerminalCapabilities.depth(environment, term: term, isDumb: isDumb),
            isFullScreen: isTerminal && !isDumb
        )
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        // tmux and GNU screen do not pass these images on.
        let program = environment["TERM_PROGRAM"] ?? ""
        let isITerm = environment["LC_TERMINAL"] == "iTerm2" || ["iTerm.app", "WezTerm", "mintty"].contains(program)
        itermGraphics = isITerm && ["TMUX", "STY"].allSatisfy { (environment[$0] ?? "").isEmpty }
        // Many terminals that use the name of xterm do not repeat characters: mosh, JediTerm, Apple's Terminal, pyte.
        let repeating = ["kitty", "foot", "alacritty", "wezterm", "tmux", "ghostty", "contour"]
        repeatsCharacters = repeating.contains { term.contains($0) }
        addressesColumns = !term.hasPrefix("vt")
        if TerminalCapabilities.isInScreen(environment) { controlStringLimit = 250 }
        // Containers often have no locale, and their terminals use UTF-8.
        isUnicode =
            locale.map { $0.lowercased().contains("utf-8") || $0.lowercased().contains("utf8") || $0 == "C" } ?? true
    }

    /// Updates the capabilities from a reply. Returns whether it was the last one expected (DA1).
    public mutating func update(from reply: TerminalReply) -> Bool {
        switch reply {
        case .mode(number: 2026, let state):
            synchronizedOutput = state != 0 && state != 4
            return false
        case .graphics(let reply):
            if reply.hasSuffix(";OK") { kittyGraphics = true }
            return false
        case .deviceAttributes(let attributes):
            if attributes.contains(4) { sixelGraphics = true }
            if synchronizedOutput == nil { synchronizedOutput = false }
            return true
        case .keyboard(let flags):
            keyboardProtocol = flags & 1 == 1
            return false
        case .operatingSystem(let text):
            if text.hasPrefix("11;") { background = Color(specification: text.dropFirst(3)) ?? background }
            return false
        case .cellSize(let size):
            if size.width > 0 && size.height > 0 {
                cellAspect = Double(size.height) / Double(size.width)
                cellPixels = PixelSize(width: size.width, height: size.height)
            }
            return false
        case .mode, .cursor:
            return false
        }
    }

    /// The protocol for pictures on a full screen, as far as the terminal has replied; `.none` without colours, and for
    /// sixels of an unknown size of the cells.
    public var graphics: TerminalGraphics {
        if colorDepth == .none { return .none }
        if kittyGraphics { return .kitty }
        if itermGraphics { return .iterm }
        guard sixelGraphics, let cellPixels else { return .none }
        return .sixel(cell: cellPixels)
    }

    // Every terminal replies to DA1 (`CSI c`), so its reply marks the end of the replies to the queries before it.

    /// The queries of a full-screen application: mode 2026, kitty's keyboard protocol, the background colour, the size of
    /// a cell in pixels.
    static let screenQueries = "\u{1B}[?2026$p" + "\u{1B}[?u" + "\u{1B}]11;?\u{1B}\\" + "\u{1B}[16t" + "\u{1B}[c"
    /// The queries for graphics: kitty's protocol; DA1 reports sixel.
    static let graphicsQueries = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + "\u{1B}[c"
    /// The query for the size of a cell in pixels.
    static let cellSizeQuery = "\u{1B}[16t"

    /// Returns whether the program runs inside of GNU screen.
    private static func isInScreen(_ environment: [String: String]) -> Bool {
        environment["STY"]?.isEmpty == false
    }

    private static func depth(_ environment: [String: String], term: String, isDumb: Bool) -> ColorDepth {
        if isDumb || environment["NO_COLOR"]?.isEmpty == false { return .none }
        let colorTerm = environment["COLORTERM"]?.lowercased() ?? ""
        let modern = ["kitty", "ghostty", "alacritty", "foot", "wezterm", "iterm", "contour"]
        if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct")
            || modern.contains(where: { term.contains($0) })
        {
            // GNU screen 4 discards 24-bit colours, although programs in it inherit COLORTERM. tmux may use the same TERM.
            let isNamed = term.hasPrefix("screen") && (environment["TMUX"] ?? "").isEmpty
            return isNamed || isInScreen(environment) ? .indexed256 : .trueColor
        }
        if term.contains("256") { return .indexed256 }
        if term.hasPrefix("vt") || term.hasSuffix("-m") || term.hasSuffix("-mono") { return .none }
        return .indexed16
    }
}

/// The modes that an application sets while it has entered the terminal: the alternate screen, so that the previous content
/// is restored, and reports of the mouse, of pastes as one event each, and of the focus of the terminal's window.
package struct TerminalModes: Sendable {
    /// Whether keys are reported in kitty's keyboard protocol (flags 1 and 4) by terminals that support it.
    package var keyboardProtocol = true

    package init() {}

    /// The bytes that set the modes.
    package var enter: [UInt8] {
        // Without automatic wrapping, a cluster that is wider than expected cannot reach the next row.
        var text = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1003h\u{1B}[?1006h"
        if keyboardProtocol { text += "\u{1B}[>5u" }
        return Array((text + "\u{1B}[?2004h\u{1B}[?1004h").utf8)
    }

    /// The bytes that reset the modes. They begin with ST, which ends an unfinished control string.
    package var leave: [UInt8] {
        var text = "\u{1B}\\\u{1B}[?2026l"
        if keyboardProtocol { text += "\u{1B}[<u" }
        text += "\u{1B}[?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[r\u{1B}[?7h\u{1B}[?1004l\u{1B}[?2004l"
        return Array((text + "\u{1B}[m\u{1B}[?25h\u{1B}[?1049l").utf8)
    }
}
