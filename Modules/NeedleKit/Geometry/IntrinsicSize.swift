/// The size that an item's content asks for; `nil` along an axis where it asks for none.
public struct IntrinsicSize: Hashable, Sendable {
    /// The width that fits the content, or `nil`.
    public var width: Double?
    /// The height that fits the content, or `nil`.
    public var height: Double?

    /// No wish along either axis.
    public static let none = IntrinsicSize()

    /// Makes a size.
    ///
    /// - Parameters:
    ///   - width: the width that fits the content, or `nil`.
    ///   - height: the height that fits the content, or `nil`.
    public init(width: Double? = nil, height: Double? = nil) {
        self.width = width
        self.height = height
    }
}
