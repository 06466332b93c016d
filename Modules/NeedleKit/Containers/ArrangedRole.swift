/// What a constraint does in an arrangement such as a stack.
enum ArrangedRole {
    /// It keeps neighbours apart; its constant is the spacing, or the least of it.
    case gap
    /// Anything else.
    case part
}
