/// What the DSL takes as distances inward from the four edges: ``LayoutInsets``, and the platform's own on Apple's.
public protocol LayoutInsetsConvertible {
    /// The insets in the layout's own type.
    var layoutInsets: LayoutInsets { get }
}

extension LayoutInsets: LayoutInsetsConvertible {
    /// The insets themselves.
    public var layoutInsets: LayoutInsets { self }
}
