/// How a camera was held, as EXIF tells it: what must be done to stored pixels to show them upright.
public enum PictureOrientation: Int, Hashable, Sendable, CaseIterable {
    /// As stored.
    case upright = 1
    /// Mirrored left to right.
    case mirrored = 2
    /// Turned by half a turn.
    case halfTurn = 3
    /// Mirrored top to bottom.
    case flipped = 4
    /// Mirrored along the diagonal from the top left corner.
    case transposed = 5
    /// To be turned by a quarter clockwise.
    case quarterClockwise = 6
    /// Mirrored along the diagonal from the top right corner.
    case transversed = 7
    /// To be turned by a quarter anticlockwise.
    case quarterAnticlockwise = 8

    /// Whether width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }
}
