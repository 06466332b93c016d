/// What a constraint does in an arrangement such as a stack.
enum ArrangedRole {
    /// It keeps two neighbours apart; its constant is the spacing.
    case gap
    /// Anything else.
    case part
}
