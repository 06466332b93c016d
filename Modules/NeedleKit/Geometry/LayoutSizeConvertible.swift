/// What the DSL takes as a width and a height: ``LayoutSize``, and CGSize on Apple's platforms.
public protocol LayoutSizeConvertible {
    /// The size in the layout's own type.
    var layoutSize: LayoutSize { get }
}

extension LayoutSize: LayoutSizeConvertible {
    /// The size itself.
    public var layoutSize: LayoutSize { self }
}
