@_exported import Foundation

/// The part of Apple's class that layouts use. It records the active constraints, and stops the program with the same
/// reason where Apple's class raises an exception.
@MainActor
open class NSLayoutConstraint: NSObject {
    public enum Attribute: Int, @unchecked Sendable {
        case left = 1
        case right = 2
        case top = 3
        case bottom = 4
        case leading = 5
        case trailing = 6
        case width = 7
        case height = 8
        case centerX = 9
        case centerY = 10
        case lastBaseline = 11
        case firstBaseline = 12
        case notAnAttribute = 0

        var isExtent: Bool { self == .width || self == .height }
        var isHorizontal: Bool { [.left, .right, .leading, .trailing, .centerX, .width].contains(self) }
        var isSide: Bool { self == .left || self == .right }
        var isDirectional: Bool { self == .leading || self == .trailing }
    }

    public enum Relation: Int, @unchecked Sendable {
        case lessThanOrEqual = -1
        case equal = 0
        case greaterThanOrEqual = 1
    }

    #if APPKIT
        public enum Orientation: Int, @unchecked Sendable {
            case horizontal = 0
            case vertical = 1
        }

        public struct Priority: Hashable, Equatable, RawRepresentable, Sendable {
            public var rawValue: Float
            public init(_ rawValue: Float) { self.rawValue = rawValue }
            public init(rawValue: Float) { self.rawValue = rawValue }
            public static let required = Priority(rawValue: 1000)
            public static let defaultHigh = Priority(rawValue: 750)
            public static let defaultLow = Priority(rawValue: 250)
        }
    #else
        public enum Axis: Int, @unchecked Sendable {
            case horizontal = 0
            case vertical = 1
        }
    #endif

    open private(set) weak var firstItem: AnyObject?
    open private(set) weak var secondItem: AnyObject?
    open private(set) var firstAttribute = Attribute.notAnAttribute
    open private(set) var secondAttribute = Attribute.notAnAttribute
    open private(set) var relation = Relation.equal
    open private(set) var multiplier: CGFloat = 1
    open var constant: CGFloat = 0 {
        didSet { demand(constant.isFinite, "Constant is not finite") }
    }
    open var identifier: String?
    open var shouldBeArchived = false
    private var hasSecondItem = false
    private weak var holder: StandInView?

    open var priority = StandInPriority.required {
        didSet {
            demand(
                priority.rawValue > 0 && priority.rawValue <= 1000,
                "It's illegal to set priority:\(priority.rawValue)"
            )
            let crosses = (oldValue == .required) != (priority == .required)
            demand(
                !(isActive && crosses),
                "Mutating a priority from required to not on an installed constraint (or vice-versa) is not supported"
            )
        }
    }

    public convenience init(
        item view1: Any,
        attribute attr1: NSLayoutConstraint.Attribute,
        relatedBy relation: NSLayoutConstraint.Relation,
        toItem view2: Any?,
        attribute attr2: NSLayoutConstraint.Attribute,
        multiplier: CGFloat,
        constant c: CGFloat
    ) {
        self.init()
        let (first, second) = (view1 as AnyObject, view2.map { $0 as AnyObject })
        demand(StandInView.owning(first) != nil, "Constraint items must each be a view or layout guide")
        demand(
            second == nil || StandInView.owning(second) != nil,
            "Constraint items must each be a view or layout guide"
        )
        demand(attr1 != .notAnAttribute, "The first attribute must be one")
        demand((second == nil) == (attr2 == .notAnAttribute), "A target needs an attribute, and an attribute a target")
        demand(second != nil || attr1.isExtent, "Location attributes must be specified in pairs")
        demand(multiplier.isFinite && c.isFinite, "Multiplier or constant is not finite")
        demand(second == nil || multiplier != 0, "A multiplier of 0 makes an illegal constraint")
        if second != nil {
            demand(attr1.isExtent == attr2.isExtent, "Invalid pairing of layout attributes")
            demand(attr1.isExtent || attr1.isHorizontal == attr2.isHorizontal, "Invalid pairing of layout attributes")
            let mixes = attr1.isSide && attr2.isDirectional || attr1.isDirectional && attr2.isSide
            demand(
                !mixes,
                "A constraint cannot be made between a leading/trailing attribute and a right/left attribute"
            )
        }
        (firstItem, secondItem, hasSecondItem) = (first, second, second != nil)
        (firstAttribute, secondAttribute, self.relation) = (attr1, attr2, relation)
        (self.multiplier, constant) = (multiplier, c)
    }

    open var isActive: Bool {
        get { holder != nil && isWhole }
        set {
            guard newValue != isActive else { return }
            holder?.standInConstraints.removeAll { $0 === self }
            holder = nil
            guard newValue else { return }
            let first = StandInView.owning(firstItem)
            let second = hasSecondItem ? StandInView.owning(secondItem) : first
            var ancestor = first
            while let view = ancestor, second?.isDescendant(of: view) != true { ancestor = view.superview }
            demand(ancestor != nil, "Unable to activate constraint with anchors because they have no common ancestor")
            ancestor?.standInConstraints.append(self)
            holder = ancestor
        }
    }

    open class func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

    open class func deactivate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = false }
    }

    /// Whether both items still exist.
    var isWhole: Bool { firstItem != nil && (!hasSecondItem || secondItem != nil) }

    private func demand(_ condition: Bool, _ reason: String) {
        if !condition { fatalError("an exception on Apple's platforms: \(reason)") }
    }
}
