/// A number that the DSL takes as a distance or an extent: `Int`, `Double`, `Float`, and CGFloat on
/// Apple's platforms.
public protocol LayoutNumber {
    /// The number in the layout's own type.
    var layoutValue: Double { get }
}

extension Int: LayoutNumber {
    /// The number itself.
    public var layoutValue: Double { Double(self) }
}

extension Double: LayoutNumber {
    /// The number itself.
    public var layoutValue: Double { self }
}

extension Float: LayoutNumber {
    /// The number itself.
    public var layoutValue: Double { Double(self) }
}
