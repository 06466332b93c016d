/// What takes the constraint values that the DSL builds: the engine, or a platform's own layout system.
@MainActor
protocol LayoutBackend: AnyObject {
    /// A constraint is to be in force from now on.
    func constraintAdded(_ constraint: Constraint)
    /// A constraint is no longer to be in force.
    func constraintRemoved(_ constraint: Constraint)
    /// A constraint's constant is another, or its label or place in the source.
    func constantChanged(_ constraint: Constraint)
    /// A constraint's priority is another, and perhaps its constant.
    func priorityChanged(_ constraint: Constraint)
    /// A constraint's target or multiplier is another, and perhaps all else that can change.
    func expressionChanged(_ constraint: Constraint)
    /// A constraint could not even be taken: one of its numbers is impossible.
    func constraintRefused(_ error: LayoutError)
    /// What an item's content asks for, or how strongly, may be another.
    func intrinsicSizeChanged(_ node: LayoutNode)
    /// An item's safe area, margins or visibility is another.
    func geometryChanged(_ node: LayoutNode)
    /// A guide joined an item that the backend knows.
    func guideAdded(_ guide: LayoutGuide, to node: LayoutNode)
    /// A guide that the backend knows goes.
    func guideRemoved(_ guide: LayoutGuide)
}
