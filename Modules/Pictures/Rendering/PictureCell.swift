/// One character cell of a drawn picture.
public struct PictureCell: Hashable, Sendable {
    /// One character, one column wide.
    public var character: Character
    /// The character's colour; `nil` leaves the terminal's own.
    public var foreground: PictureColor?
    /// The colour behind it; `nil` leaves the terminal's own.
    public var background: PictureColor?

    /// Creates a cell.
    public init(_ character: Character, foreground: PictureColor? = nil, background: PictureColor? = nil) {
        self.character = character
        self.foreground = foreground
        self.background = background
    }
}
