/// What a column of the tableau stands for.
enum SymbolKind: UInt8, BitwiseCopyable {
    /// A free unknown of the user.
    case variable
    /// The slack of an inequality: zero or more, without cost.
    case slack
    /// The violation of a preference to one side: zero or more, with a cost.
    case error
    /// The marker of a required equality: always zero, never enters.
    case dummy
}
