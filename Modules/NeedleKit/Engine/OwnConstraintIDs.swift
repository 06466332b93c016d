internal import ConstraintSolver

/// The solver's ids of the layout's own constraints on an item along an axis, of those that are in force.
struct OwnConstraintIDs {
    private var origin: ConstraintID?
    private var size: ConstraintID?
    private var hugging: ConstraintID?
    private var compressionResistance: ConstraintID?
    private var notNegative: ConstraintID?
    private var collapsed: ConstraintID?

    subscript(role: OwnConstraint.Role) -> ConstraintID? {
        get {
            switch role {
            case .origin: origin
            case .size: size
            case .hugging: hugging
            case .compressionResistance: compressionResistance
            case .notNegative: notNegative
            case .collapsed: collapsed
            }
        }
        set {
            switch role {
            case .origin: origin = newValue
            case .size: size = newValue
            case .hugging: hugging = newValue
            case .compressionResistance: compressionResistance = newValue
            case .notNegative: notNegative = newValue
            case .collapsed: collapsed = newValue
            }
        }
    }
}
