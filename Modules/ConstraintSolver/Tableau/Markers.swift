/// The symbols that stand for a constraint in the tableau.
struct Markers: BitwiseCopyable {
    /// The dummy, slack or positive error; -1 while the constraint is not in force.
    var marker: Int32 = -1
    /// The error of the other side, or -1 for a required constraint.
    var other: Int32 = -1
    /// The marker's coefficient in `terms - constant + sign * marker - sign * other = 0`.
    var sign: Double = 1
}
