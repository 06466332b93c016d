/// How much a layout constraint matters: 1 to 1000, strict from one to the next.
///
/// A constraint of 1000 must hold. Below, one of a higher priority is never given up for any number of lower ones.
public struct LayoutPriority: Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The number, 1 to 1000.
    public let value: Int

    /// 1000: must hold.
    public static let required = LayoutPriority(1000)
    /// 750: what content resists being squeezed with.
    public static let high = LayoutPriority(750)
    /// 500.
    public static let medium = LayoutPriority(500)
    /// 250: what content hugs itself with.
    public static let low = LayoutPriority(250)
    /// 50: a wish that gives way to every other.
    public static let fittingSize = LayoutPriority(50)

    /// Makes a priority.
    ///
    /// - Parameter value: 1 to 1000; numbers outside are brought to the nearer end.
    public init(_ value: Int) {
        self.value = min(1000, max(1, value))
    }

    /// Makes a priority of a number, brought to 1 to 1000.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// The number.
    public var description: String { "\(value)" }

    /// Orders by how much a constraint matters.
    public static func < (left: LayoutPriority, right: LayoutPriority) -> Bool { left.value < right.value }

    /// A priority that matters a little more.
    public static func + (priority: LayoutPriority, steps: Int) -> LayoutPriority {
        LayoutPriority(priority.value + min(1000, max(-1000, steps)))
    }

    /// A priority that matters a little less.
    public static func - (priority: LayoutPriority, steps: Int) -> LayoutPriority {
        LayoutPriority(priority.value - min(1000, max(-1000, steps)))
    }
}
