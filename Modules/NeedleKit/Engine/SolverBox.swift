internal import ConstraintSolver

/// Holds the engine's solver behind a reference.
///
/// So the layout of ``LayoutEngine`` in memory does not depend on a module that users of NeedleKit do not see: an
/// incremental release build does not compile them anew when that module changes.
@MainActor
final class SolverBox {
    var solver = Solver()
}
