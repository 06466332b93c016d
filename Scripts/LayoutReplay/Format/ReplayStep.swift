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
