/// What the DSL takes as distances inward by reading direction: ``DirectionalInsets``, and the platform's own on Apple's.
public protocol DirectionalInsetsConvertible {
    /// The insets in the layout's own type.
    var directionalInsets: DirectionalInsets { get }
}

extension DirectionalInsets: DirectionalInsetsConvertible {
    /// The insets themselves.
    public var directionalInsets: DirectionalInsets { self }
}
