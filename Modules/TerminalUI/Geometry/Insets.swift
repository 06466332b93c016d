/// Cells to keep free on each side.
public struct Insets: Hashable, Sendable {
    /// Rows above.
    public var top: Int
    /// Columns to the left.
    public var left: Int
    /// Rows below.
    public var bottom: Int
    /// Columns to the right.
    public var right: Int

    /// Nothing kept free.
    public static let zero = Insets()

    /// Insets by side, zero where not told.
    public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// The same columns at both sides and the same rows above and below.
    public init(horizontal: Int, vertical: Int) {
        self.init(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
    }
}
