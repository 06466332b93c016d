/// What is wrong with a picture that can be shown nevertheless.
public enum PictureWarning: Hashable, Sendable, CustomStringConvertible {
    /// The bytes end early: rows from `knownRows` on are transparent, or the whole is coarse where it equals `rows`.
    case truncated(knownRows: Int, rows: Int)
    /// The format's rules are broken somewhere; `reason` in the decoder's words.
    case damaged(reason: String)

    /// What is wrong, in one sentence.
    public var description: String {
        switch self {
        case .truncated(let known, let rows) where known < rows:
            "Only the first \(known) of \(rows) rows have come."
        case .truncated:
            "The picture ends early; some of its detail is missing."
        case .damaged(let reason):
            "The picture is damaged (\(reason)); parts may look wrong."
        }
    }
}
