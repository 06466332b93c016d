public import ConstraintSolver

/// A step of a replay: a change of the system, or an expectation.
public enum ReplayStep: Hashable, Sendable {
    /// Creates variables with different names.
    case variables([String])
    /// Adds a constraint with an id. A refusal must be expected by ``unsatisfiable(_:)``.
    case add(String, ReplayConstraint)
    /// Removes the constraint of an id, which may be used again.
    case remove(String)
    /// Makes a variable editable at a priority, with the value 0 at first.
    case edit(String, priority: Int)
    /// Suggests a value for a variable that has an edit.
    case suggest(String, Double)
    /// Sets the right side of an active constraint.
    case constant(String, Double)
    /// Expects values of variables.
    case expect([ReplayDemand<String>], tolerance: Double?)
    /// Expects the sum of the absolute violations of priorities, with edits.
    case violation([ReplayDemand<Int>], tolerance: Double?)
    /// Expects that the last ``add(_:_:)`` of an id was refused without a change.
    case unsatisfiable(String)
    /// Ends a variable's edit. Extended dialect only.
    case endEdit(String)
    /// Changes the priority of a constraint, and its weight unless that is `nil`. Extended dialect only.
    case priority(String, Int, weight: Double? = nil)
    /// Deactivates the constraint of an id, which can still be changed. Extended dialect only.
    case pause(String)
    /// Activates a paused constraint; a refusal must be expected. Extended dialect only.
    case resume(String)
    /// Removes a variable, whose name may be used again. Extended dialect only.
    case removeVariable(String)

    /// Whether the step belongs to the extended dialect.
    public var isExtended: Bool {
        switch self {
        case .endEdit, .priority, .pause, .resume, .removeVariable: true
        case .add(_, let constraint): constraint.weight != 1
        case .variables, .remove, .edit, .suggest, .constant, .expect, .violation, .unsatisfiable: false
        }
    }
}

/// A constraint of a replay: `coefficient * variable + ... relation constant`.
public struct ReplayConstraint: Hashable, Sendable {
    /// A variable times a coefficient.
    public struct Term: Hashable, Sendable {
        /// The name of the variable.
        public var variable: String
        /// The factor.
        public var coefficient: Double

        /// Creates a term.
        public init(_ variable: String, _ coefficient: Double) {
            self.variable = variable
            self.coefficient = coefficient
        }
    }

    /// The left side; the coefficients of several terms of a variable are added.
    public var terms: [Term]
    /// The relation between the left side and the constant.
    public var relation: Relation
    /// The right side.
    public var constant: Double
    /// The priority from 1 to 1000, which means required.
    public var priority: Int
    /// The factor of the violation within the priority; 1 except in the extended dialect.
    public var weight: Double

    /// Creates a constraint.
    public init(_ terms: [Term], _ relation: Relation, _ constant: Double, priority: Int = 1000, weight: Double = 1) {
        (self.terms, self.relation, self.constant, self.priority) = (terms, relation, constant, priority)
        self.weight = weight
    }
}

/// An expected number: the value of a variable, or the violation of a priority.
public struct ReplayDemand<Subject: Hashable & Sendable>: Hashable, Sendable {
    /// The variable or the priority.
    public var subject: Subject
    /// The number.
    public var value: Double

    /// Creates an expectation.
    public init(_ subject: Subject, _ value: Double) {
        self.subject = subject
        self.value = value
    }
}
