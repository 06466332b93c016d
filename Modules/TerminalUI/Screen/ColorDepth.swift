/// How many colours a terminal can show.
public enum ColorDepth: String, Hashable, Sendable, Comparable, CaseIterable {
    /// No colours: the terminal's own, and attributes such as bold and reverse.
    case none
    /// The 16 colours of the user's palette.
    case indexed16
    /// xterm's 256 colours.
    case indexed256
    /// 24 bits a colour.
    case trueColor

    /// Whether the left depth has fewer colours than the right one.
    public static func < (left: ColorDepth, right: ColorDepth) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .none: 0
        case .indexed16: 1
        case .indexed256: 2
        case .trueColor: 3
        }
    }
}
