/// The terminal's answer to a question that the program asked.
public enum TerminalReply: Hashable, Sendable {
    /// Primary device attributes (DA1): what the terminal says it can do; 4 is sixel graphics.
    case deviceAttributes([Int])
    /// A private mode's state (DECRPM): 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset.
    case mode(number: Int, state: Int)
    /// The cursor's place, from zero.
    case cursor(Point)
    /// The answer to a kitty graphics command, as it came.
    case graphics(String)
    /// An operating system command (OSC), as it came: number and text.
    case operatingSystem(String)
}
