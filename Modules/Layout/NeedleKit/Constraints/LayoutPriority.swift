/// The priority of a constraint: 1 to 1000, strict from one number to the next.
///
/// A constraint of priority 1000 must hold. Below, the engine never violates a constraint of a higher priority for the sake
/// of any number of constraints of lower ones.
public struct LayoutPriority: Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The number, 1 to 1000.
    public let value: Int

    /// 1000: must hold.
    public static let required = LayoutPriority(1000)
    /// 750, which is also the default compression resistance of content: use `.high + 1` or `.high - 1` to order a
    /// constraint before or after it.
    public static let high = LayoutPriority(750)
    /// 500.
    public static let medium = LayoutPriority(500)
    /// 250, which is also the default hugging priority of content: use `.low + 1` or `.low - 1` to order a constraint before
    /// or after it.
    public static let low = LayoutPriority(250)
    /// 50: yields to nearly everything.
    public static let fittingSize = LayoutPriority(50)
    /// UIKit's name of ``high``.
    @available(*, unavailable, renamed: "high")
    public static var defaultHigh: LayoutPriority { .high }
    /// UIKit's name of ``low``.
    @available(*, unavailable, renamed: "low")
    public static var defaultLow: LayoutPriority { .low }

    /// Creates a priority from 1 to 1000; other numbers are clamped.
    public init(_ value: Int) { self.value = min(1000, max(1, value)) }

    /// Creates a priority from an integer literal, clamped to 1 to 1000.
    public init(integerLiteral value: Int) { self.init(value) }

    /// The number.
    public var description: String { "\(value)" }

    /// Returns whether the left priority is lower.
    public static func < (left: LayoutPriority, right: LayoutPriority) -> Bool { left.value < right.value }

    /// Returns a priority that is higher by a number of steps, at most 1000.
    public static func + (priority: LayoutPriority, steps: Int) -> LayoutPriority {
        LayoutPriority(priority.value + min(1000, max(-1000, steps)))
    }

    /// Returns a priority that is lower by a number of steps, at least 1.
    public static func - (priority: LayoutPriority, steps: Int) -> LayoutPriority {
        LayoutPriority(priority.value - min(1000, max(-1000, steps)))
    }
}
