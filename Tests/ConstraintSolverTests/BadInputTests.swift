import Testing

@testable import ConstraintSolver

/// Everything that a solver must refuse, in one table.
@Suite("Bad input")
struct BadInputTests {
    /// A small system with all that can be referred to wrongly.
    final class System {
        var solver: Solver
        let x: Variable
        let y: Variable
        /// Removed.
        let gone: Variable
        /// In no constraint, without an edit.
        let free: Variable
        /// Of a solver with more variables.
        let foreign: Variable
        /// x == 7, required.
        let fixed: ConstraintID
        /// y - x == 3 @500.
        let wish: ConstraintID
        /// Defined, not in force.
        let resting: ConstraintID
        /// Discarded.
        let discarded: ConstraintID

        init() throws {
            var made = Solver()
            x = made.makeVariable()
            y = made.makeVariable()
            gone = made.makeVariable()
            free = made.makeVariable()
            fixed = try made.add(LinearConstraint([Term(x)], .equal, 7))
            wish = try made.add(LinearConstraint([Term(y), Term(x, -1)], .equal, 3, priority: Priority(500)))
            try made.add(LinearConstraint([Term(y)], .lessThanOrEqual, 30))
            resting = try made.define(LinearConstraint([Term(y)], .equal, 1))
            discarded = try made.define(LinearConstraint([Term(y)], .equal, 2))
            try made.discard(discarded)
            try made.removeVariable(gone)
            try made.addEdit(y, priority: Priority(400))
            try made.suggest(12, for: y)
            var other = Solver()
            for _ in 0..<9 { _ = other.makeVariable() }
            foreign = other.makeVariable()
            solver = made
        }
    }

    /// One thing to refuse.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let act: @Sendable (System) throws(SolverError) -> Void
        /// Whether the error is the right one, naming what it must.
        let isRight: @Sendable (SolverError, System) -> Bool

        init(
            _ name: String,
            _ act: @escaping @Sendable (System) throws(SolverError) -> Void,
            _ isRight: @escaping @Sendable (SolverError, System) -> Bool
        ) {
            testDescription = name
            self.act = act
            self.isRight = isRight
        }
    }

    /// Whether an error says that a number is not finite, or out of range, and of which constraint.
    private static func isAbout(_ number: Double, _ error: SolverError, _ isNamed: (ConstraintName) -> Bool) -> Bool {
        switch error {
        case .notFinite(let value, let name):
            !number.isFinite && value.bitPattern == number.bitPattern && isNamed(name)
        case .outOfRange(let value, let name): number.isFinite && value == number && isNamed(name)
        default: false
        }
    }

    private static let numbers: [Double] = [.nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, 1.0000001e9]

    private static let numberCases: [Case] = numbers.flatMap { bad -> [Case] in
        let isStated: @Sendable (SolverError) -> Bool = { error in
            isAbout(bad, error) { if case .stated(let constraint) = $0 { constraint.terms.count == 1 } else { false } }
        }
        return [
            Case("constant \(bad), required") { system throws(SolverError) in
                try system.solver.add(LinearConstraint([Term(system.x)], .equal, bad))
            } _: { error, _ in
                isStated(error)
            },
            Case("constant \(bad), preferred") { system throws(SolverError) in
                try system.solver.add(LinearConstraint([Term(system.y)], .lessThanOrEqual, bad, priority: Priority(3)))
            } _: { error, _ in
                isStated(error)
            },
            Case("defining constant \(bad)") { system throws(SolverError) in
                _ = try system.solver.define(LinearConstraint([Term(system.y)], .equal, bad))
            } _: { error, _ in
                isStated(error)
            },
            Case("coefficient \(bad)") { system throws(SolverError) in
                try system.solver.add(LinearConstraint([Term(system.y, bad)], .greaterThanOrEqual, 1))
            } _: { error, _ in
                isStated(error)
            },
            Case("weight \(bad)") { system throws(SolverError) in
                let constraint = LinearConstraint([Term(system.y)], .equal, 1, priority: Priority(5), weight: bad)
                try system.solver.add(constraint)
            } _: { error, _ in
                isStated(error)
            },
            Case("changing a required constant to \(bad)") { system throws(SolverError) in
                try system.solver.setConstant(system.fixed, bad)
            } _: { error, system in
                let id = system.fixed
                return isAbout(bad, error) { $0 == .defined(id) }
            },
            Case("changing a preferred constant to \(bad)") { system throws(SolverError) in
                try system.solver.setConstant(system.wish, bad)
            } _: { error, system in
                let id = system.wish
                return isAbout(bad, error) { $0 == .defined(id) }
            },
            Case("changing the constant of one not in force to \(bad)") { system throws(SolverError) in
                try system.solver.setConstant(system.resting, bad)
            } _: { error, system in
                let id = system.resting
                return isAbout(bad, error) { $0 == .defined(id) }
            },
            Case("changing a weight to \(bad)") { system throws(SolverError) in
                try system.solver.setPriority(system.wish, Priority(9), weight: bad)
            } _: { error, system in
                let id = system.wish
                return isAbout(bad, error) { $0 == .defined(id) }
            },
            Case("suggesting \(bad)") { system throws(SolverError) in
                try system.solver.suggest(bad, for: system.y)
            } _: { error, system in
                let variable = system.y
                return isAbout(bad, error) { $0 == .edit(variable) }
            },
        ]
    }

    private static let rangeCases: [Case] = [
        Case("coefficient too small") { system throws(SolverError) in
            try system.solver.add(LinearConstraint([Term(system.y, 1e-7)], .equal, 1))
        } _: { error, _ in
            error.description.contains("1e-07 v1 == 1.0 has 1e-07, which is outside the range")
        },
        Case("coefficients that sum to one too large") { system throws(SolverError) in
            try system.solver.add(LinearConstraint([Term(system.y, 6e5), Term(system.y, 6e5)], .equal, 1))
        } _: { error, _ in
            isAbout(1.2e6, error) { if case .stated = $0 { true } else { false } }
        },
        Case("weight of zero") { system throws(SolverError) in
            try system.solver.setPriority(system.wish, Priority(500), weight: 0)
        } _: { error, system in
            error == .outOfRange(0, in: .defined(system.wish))
        },
        Case("negative weight") { system throws(SolverError) in
            try system.solver.setPriority(system.wish, Priority(500), weight: -1)
        } _: { error, system in
            error == .outOfRange(-1, in: .defined(system.wish))
        },
    ]

    private static let referenceCases: [Case] = [
        Case("one in force added again") { system throws(SolverError) in
            try system.solver.add(system.fixed)
        } _: { error, system in
            error == .duplicate(system.fixed)
        },
        Case("a preference in force added again") { system throws(SolverError) in
            try system.solver.add(system.wish)
        } _: { error, system in
            error == .duplicate(system.wish)
        },
        Case("one discarded added") { system throws(SolverError) in
            try system.solver.add(system.discarded)
        } _: { error, system in
            error == .unknownConstraint(system.discarded)
        },
        Case("one not in force removed") { system throws(SolverError) in
            try system.solver.remove(system.resting)
        } _: { error, system in
            error == .unknownConstraint(system.resting)
        },
        Case("one discarded removed") { system throws(SolverError) in
            try system.solver.remove(system.discarded)
        } _: { error, system in
            error == .unknownConstraint(system.discarded)
        },
        Case("one discarded discarded again") { system throws(SolverError) in
            try system.solver.discard(system.discarded)
        } _: { error, system in
            error == .unknownConstraint(system.discarded)
        },
        Case("constant of one discarded") { system throws(SolverError) in
            try system.solver.setConstant(system.discarded, 4)
        } _: { error, system in
            error == .unknownConstraint(system.discarded)
        },
        Case("priority of one discarded") { system throws(SolverError) in
            try system.solver.setPriority(system.discarded, .required)
        } _: { error, system in
            error == .unknownConstraint(system.discarded)
        },
        Case("constraint of one discarded") { system throws(SolverError) in
            _ = try system.solver.constraint(system.discarded)
        } _: { error, system in
            error == .unknownConstraint(system.discarded)
        },
        Case("violation of one discarded") { system throws(SolverError) in
            _ = try system.solver.violation(of: system.discarded)
        } _: { error, system in
            error == .unknownConstraint(system.discarded)
        },
        Case("a variable removed in a term") { system throws(SolverError) in
            try system.solver.add(LinearConstraint([Term(system.y), Term(system.gone)], .equal, 1))
        } _: { error, system in
            error == .unknownVariable(system.gone)
        },
        Case("a variable of another solver in a term") { system throws(SolverError) in
            try system.solver.add(LinearConstraint([Term(system.y), Term(system.foreign)], .equal, 1))
        } _: { error, system in
            error == .unknownVariable(system.foreign)
        },
        Case("a variable in use removed") { system throws(SolverError) in
            try system.solver.removeVariable(system.x)
        } _: { error, system in
            error == .variableInUse(system.x)
        },
        Case("a variable removed twice") { system throws(SolverError) in
            try system.solver.removeVariable(system.gone)
        } _: { error, system in
            error == .unknownVariable(system.gone)
        },
        Case("an edit of a variable removed") { system throws(SolverError) in
            try system.solver.addEdit(system.gone, priority: Priority(1))
        } _: { error, system in
            error == .unknownVariable(system.gone)
        },
        Case("a second edit") { system throws(SolverError) in
            try system.solver.addEdit(system.y, priority: Priority(900))
        } _: { error, system in
            error == .duplicateEdit(system.y)
        },
        Case("a suggestion without an edit") { system throws(SolverError) in
            try system.solver.suggest(1, for: system.free)
        } _: { error, system in
            error == .noEdit(system.free)
        },
        Case("a suggestion for a variable removed") { system throws(SolverError) in
            try system.solver.suggest(1, for: system.gone)
        } _: { error, system in
            error == .unknownVariable(system.gone)
        },
        Case("the end of an edit that is not there") { system throws(SolverError) in
            try system.solver.removeEdit(system.free)
        } _: { error, system in
            error == .noEdit(system.free)
        },
    ]

    private static let conflictCases: [Case] = [
        Case("a requirement that cannot hold") { system throws(SolverError) in
            try system.solver.add(LinearConstraint([Term(system.x)], .lessThanOrEqual, 6))
        } _: { error, system in
            if case .unsatisfiable(let id, let members) = error {
                members.count == 2 && members.contains(system.fixed) && members.contains(id)
            } else {
                false
            }
        },
        Case("a wish made a requirement that cannot hold") { system throws(SolverError) in
            try system.solver.transaction { solver throws(SolverError) in
                try solver.setConstant(system.wish, 24)
                try solver.setPriority(system.wish, .required)
            }
        } _: { error, system in
            if case .unsatisfiable(let id, let members) = error {
                id == system.wish && members.count == 3
            } else {
                false
            }
        },
        Case("a required edit that cannot hold") { system throws(SolverError) in
            try system.solver.addEdit(system.x, priority: .required)
        } _: { error, system in
            if case .unsatisfiable(_, let members) = error { members.contains(system.fixed) } else { false }
        },
    ]

    static var cases: [Case] { numberCases + rangeCases + referenceCases + conflictCases }

    @Test(
        "Each is refused with an error that names the constraint, and not a bit of the system changes",
        arguments: cases
    )
    func refused(_ refusal: Case) throws {
        let system = try System()
        let twin = try System()
        _ = [system.solver.value(of: system.x), twin.solver.value(of: twin.x)]
        let before = Fingerprint(system.solver, withFree: false)
        do throws(SolverError) {
            try refusal.act(system)
            Issue.record("nothing was refused")
        } catch {
            let isRight = refusal.isRight(error, system)
            #expect(isRight, "\(error)")
            #expect(error.description.contains(";"), "says what to do: \(error)")
        }
        // A refused constraint takes a place and gives it back, free for the next.
        let after = Fingerprint(system.solver, withFree: false)
        let isSame = after == before
        #expect(isSame)
        // What comes next gives the same bits as if nothing had been tried.
        try change(system)
        try change(twin)
        let values = [system.x, system.y, system.free].map { system.solver.value(of: $0).bitPattern }
        let others = [twin.x, twin.y, twin.free].map { twin.solver.value(of: $0).bitPattern }
        #expect(values == others)
    }

    private func change(_ system: System) throws {
        try system.solver.suggest(29, for: system.y)
        try system.solver.add(LinearConstraint([Term(system.free), Term(system.y, -0.3)], .greaterThanOrEqual, 0.1))
        try system.solver.setConstant(system.fixed, 7.7)
        try system.solver.remove(system.wish)
    }

    @Test("The limits themselves are accepted")
    func limits() throws {
        let system = try System()
        for (coefficient, constant) in [(1e6, 1e9), (-1e6, -1e9), (1e-6, 1), (1, 1e9)] {
            let id = try system.solver.add(LinearConstraint([Term(system.free, coefficient)], .equal, constant))
            let value = system.solver.value(of: system.free)
            #expect(abs(value * coefficient - constant) <= 1e-6 * abs(constant))
            try system.solver.discard(id)
        }
        try system.solver.suggest(1e9, for: system.y)
        for weight in [0.001, 1e6] { try system.solver.setPriority(system.wish, Priority(500), weight: weight) }
    }
}
