/// With what a picture is drawn into character cells.
public enum PictureStyle: String, Hashable, Sendable, CaseIterable {
    /// `▀` in two colours: two square pixels in a cell. Every terminal with colours shows it right.
    case halfBlocks
    /// `▘▝▖▗` and their kin: four pixels in a cell, of two colours.
    case quadrants
    /// Characters from light to dense, without colour.
    case characters
    /// A line of words in place of the picture.
    case words

    /// The style that is drawn at a colour depth: without colours, blocks would all look alike.
    public func suited(to depth: PictureColorDepth) -> PictureStyle {
        switch self {
        case .halfBlocks, .quadrants: depth == .none ? .characters : self
        case .characters, .words: self
        }
    }
}
