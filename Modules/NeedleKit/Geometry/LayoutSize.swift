/// A width and a height.
public struct LayoutSize: Hashable, Sendable {
    /// The width, in the layout's unit: cells in a terminal.
    public var width: Double
    /// The height, in the layout's unit.
    public var height: Double

    /// No extent at all.
    public static let zero = LayoutSize(width: 0, height: 0)

    /// Makes a size.
    ///
    /// - Parameters:
    ///   - width: the width.
    ///   - height: the height.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}
