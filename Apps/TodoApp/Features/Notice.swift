/// A short message for the user, gone after a while.
struct Notice: Hashable, Sendable {
    /// How it is meant.
    enum Kind: Hashable, Sendable {
        /// Something was done; undo takes it back.
        case undoable
        /// Something was done, or is worth knowing.
        case information
        /// Something went wrong.
        case failure
    }

    /// How it is meant.
    let kind: Kind
    /// One line.
    let text: String
}
