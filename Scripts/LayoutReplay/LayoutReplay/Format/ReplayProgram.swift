/// A replay: steps for a constraint solver, and expectations.
///
/// Its text consists of JSON lines, which `layout-replay --help` lists. Empty lines are ignored.
///
/// The name of a case is a string or an integer, as an id is. A case line with `"dialect":"extended"` allows more steps, which
/// the random programs of the solver's tests need:
///
///     "weight":w                                    in an add; a violation is multiplied by it
///     {"priority":p,"of":id,"weight":w}             a constraint's priority becomes p, its weight w where given
///     {"pause":id}                                  deactivates it; it can still be changed
///     {"resume":id}                                 activates it
///     {"endEdit":"x"}
///     {"removeVariable":"x"}                        the name may be used again
///
/// and `unsatisfiable` refers to the last add, change or resumption of an id.
public struct ReplayProgram: Hashable, Sendable {
    /// A step with the line that states it.
    public struct Line: Hashable, Sendable {
        /// The line, counted from 1; 0 for a step that is not from a file.
        public var number: Int
        /// The change or expectation.
        public var step: ReplayStep

        /// Makes a line.
        public init(_ number: Int, _ step: ReplayStep) {
            self.number = number
            self.step = step
        }
    }

    /// The name of the case, if it has one.
    public var name: String?
    /// The steps in order.
    public var lines: [Line]
    /// Whether refused changes of constants and priorities may be confirmed as refused adds are.
    public var isExtended: Bool

    /// Makes a program.
    public init(name: String? = nil, lines: [Line], isExtended: Bool = false) {
        (self.name, self.lines, self.isExtended) = (name, lines, isExtended)
    }

    /// Makes a program of steps that were never in a file, in the extended dialect where they need it.
    public init(name: String? = nil, steps: [ReplayStep]) {
        self.init(name: name, lines: steps.map { Line(0, $0) }, isExtended: ReplayProgram.areExtended(steps))
    }

    /// Whether the steps need the extended dialect.
    private static func areExtended(_ steps: [ReplayStep]) -> Bool {
        var changed: Set<String> = []
        for step in steps {
            switch step {
            case .add(let id, _): changed.remove(id)
            case .constant(let id, _), .resume(let id): changed.insert(id)
            case .unsatisfiable(let id) where changed.contains(id): return true
            default: break
            }
            if step.isExtended { return true }
        }
        return false
    }

    /// The steps without their lines.
    public var steps: [ReplayStep] { lines.map(\.step) }
}
