public import ConstraintSolver

/// What one line of a replay does or demands.
public enum ReplayStep: Hashable, Sendable {
    /// Makes variables, each of a name of its own.
    case variables([String])
    /// Puts a constraint into force under an id. A refusal must be confirmed by ``unsatisfiable(_:)``.
    case add(String, ReplayConstraint)
    /// Takes the constraint of an id out of force; the id may be used again.
    case remove(String)
    /// Lets values be suggested for a variable, at a priority; the suggestion is 0 at first.
    case edit(String, priority: Int)
    /// Suggests a value for a variable that has an edit.
    case suggest(String, Double)
    /// Sets the right side of a constraint in force.
    case constant(String, Double)
    /// Demands values of variables.
    case expect([ReplayDemand<String>], tolerance: Double?)
    /// Demands the summed absolute violation of priorities, edits among them.
    case violation([ReplayDemand<Int>], tolerance: Double?)
    /// Demands that the last ``add(_:_:)`` of an id was refused and changed nothing.
    case unsatisfiable(String)
    /// Ends a variable's edit. Extended dialect only.
    case endEdit(String)
    /// Changes the priority of a constraint, and its weight where one is given. Extended dialect only.
    case priority(String, Int, weight: Double? = nil)
    /// Takes the constraint of an id out of force; it stays under the id and can be changed. Extended dialect only.
    case pause(String)
    /// Puts a paused constraint into force again; a refusal must be confirmed. Extended dialect only.
    case resume(String)
    /// Removes a variable, whose name may be used again. Extended dialect only.
    case removeVariable(String)

    /// Whether the step is one that the plain format has no line for.
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
    /// A variable, by name, times a coefficient.
    public struct Term: Hashable, Sendable {
        /// The variable's name.
        public var variable: String
        /// Its factor.
        public var coefficient: Double

        /// Makes a term.
        public init(_ variable: String, _ coefficient: Double) {
            self.variable = variable
            self.coefficient = coefficient
        }
    }

    /// The left side; a variable may stand in several terms, whose coefficients are then summed.
    public var terms: [Term]
    /// How the left side relates to the constant.
    public var relation: Relation
    /// The right side.
    public var constant: Double
    /// 1 to 1000, the latter required.
    public var priority: Int
    /// The factor on the violation inside the priority; 1 but in the extended dialect.
    public var weight: Double

    /// Makes a constraint.
    public init(_ terms: [Term], _ relation: Relation, _ constant: Double, priority: Int = 1000, weight: Double = 1) {
        self.terms = terms
        self.relation = relation
        self.constant = constant
        self.priority = priority
        self.weight = weight
    }
}

/// A number that must be met: the value of a variable, or the violation of a priority.
public struct ReplayDemand<Subject: Hashable & Sendable>: Hashable, Sendable {
    /// What the number belongs to.
    public var subject: Subject
    /// The number.
    public var value: Double

    /// Makes a demand.
    public init(_ subject: Subject, _ value: Double) {
        self.subject = subject
        self.value = value
    }
}
