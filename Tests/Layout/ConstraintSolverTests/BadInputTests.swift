import Testing

@testable import ConstraintSolver

/// Every invalid call of the solver, in one table.
@Suite("Bad input")
struct BadInputTests {
    /// A small system for invalid references.
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
        /// Defined, not active.
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

    typealias Call = @Sendable (System) throws -> Void

    /// An invalid call.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let call: Call
        /// Whether the error is the expected one and names the constraint.
        let isExpected: @Sendable (SolverError, System) -> Bool
    }

    private static func cases(
        _ calls: KeyValuePairs<String, Call>,
        _ isExpected: @escaping @Sendable (SolverError, System) -> Bool
    ) -> [Case] {
        calls.map { Case(testDescription: $0.key, call: $0.value, isExpected: isExpected) }
    }

    private static func cases(
        throwing error: @escaping @Sendable (System) -> SolverError,
        _ calls: KeyValuePairs<String, Call>
    ) -> [Case] {
        cases(calls) { $0 == error($1) }
    }

    /// Calls with an invalid number, which the error contains with the constraint.
    private static func cases(
        number: Double,
        in name: @escaping @Sendable (ConstraintName, System) -> Bool,
        _ calls: KeyValuePairs<String, Call>
    ) -> [Case] {
        cases(calls) { error, system in
            switch error {
            case .notFinite(let value, let constraint):
                !number.isFinite && value.bitPattern == number.bitPattern && name(constraint, system)
            case .outOfRange(let value, let constraint): number.isFinite && value == number && name(constraint, system)
            default: false
            }
        }
    }

    /// Whether the name is that of a constraint that was not defined yet.
    private static func isStated(_ name: ConstraintName, _ system: System) -> Bool {
        if case .stated(let constraint) = name { constraint.terms.count == 1 } else { false }
    }

    private static let numbers: [Double] = [.nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, 1.0000001e9]

    private static let numberCases: [Case] = numbers.flatMap { bad -> [Case] in
        let stated: KeyValuePairs<String, Call> = [
            "constant \(bad), required": { try $0.solver.add(LinearConstraint([Term($0.x)], .equal, bad)) },
            "constant \(bad), preferred": {
                try $0.solver.add(LinearConstraint([Term($0.y)], .lessThanOrEqual, bad, priority: Priority(3)))
            },
            "defining constant \(bad)": { _ = try $0.solver.define(LinearConstraint([Term($0.y)], .equal, bad)) },
            "coefficient \(bad)": { try $0.solver.add(LinearConstraint([Term($0.y, bad)], .greaterThanOrEqual, 1)) },
            "weight \(bad)": {
                try $0.solver.add(LinearConstraint([Term($0.y)], .equal, 1, priority: Priority(5), weight: bad))
            },
        ]
        let wish: KeyValuePairs<String, Call> = [
            "changing a preferred constant to \(bad)": { try $0.solver.setConstant($0.wish, bad) },
            "changing a weight to \(bad)": { try $0.solver.setPriority($0.wish, Priority(9), weight: bad) },
        ]
        return cases(number: bad, in: isStated, stated)
            + cases(number: bad, in: { $0 == .defined($1.wish) }, wish)
            + cases(
                number: bad,
                in: { $0 == .defined($1.fixed) },
                ["changing a required constant to \(bad)": { try $0.solver.setConstant($0.fixed, bad) }]
            )
            + cases(
                number: bad,
                in: { $0 == .defined($1.resting) },
                ["changing the constant of an inactive one to \(bad)": { try $0.solver.setConstant($0.resting, bad) }]
            )
            + cases(
                number: bad,
                in: { $0 == .edit($1.y) },
                ["suggesting \(bad)": { try $0.solver.suggest(bad, for: $0.y) }]
            )
    }

    private static let rangeCases: [Case] =
        cases(["coefficient too small": { try $0.solver.add(LinearConstraint([Term($0.y, -1e-7)], .equal, 1)) }]) {
            error,
            _ in
            error.description.contains("constraint -1e-07 v1 == 1.0 has -1e-07, which is outside the range")
        }
        + cases(
            number: 1.2e6,
            in: { name, _ in if case .stated = name { true } else { false } },
            [
                "coefficients that sum to one too large": {
                    try $0.solver.add(LinearConstraint([Term($0.y, 6e5), Term($0.y, 6e5)], .equal, 1))
                }
            ]
        )
        + cases(
            throwing: { .outOfRange(0, in: .defined($0.wish)) },
            ["weight of zero": { try $0.solver.setPriority($0.wish, Priority(500), weight: 0) }]
        )
        + cases(
            throwing: { .outOfRange(-1, in: .defined($0.wish)) },
            ["negative weight": { try $0.solver.setPriority($0.wish, Priority(500), weight: -1) }]
        )

    private static let constraintCases: [Case] =
        cases(
            throwing: { .unknownConstraint($0.discarded) },
            [
                "a discarded constraint added": { try $0.solver.add($0.discarded) },
                "a discarded constraint removed": { try $0.solver.remove($0.discarded) },
                "a discarded constraint discarded again": { try $0.solver.discard($0.discarded) },
                "constant of a discarded constraint": { try $0.solver.setConstant($0.discarded, 4) },
                "priority of a discarded constraint": { try $0.solver.setPriority($0.discarded, .required) },
                "a discarded constraint read": { _ = try $0.solver.constraint($0.discarded) },
                "violation of a discarded constraint": { _ = try $0.solver.violation(of: $0.discarded) },
            ]
        )
        + cases(throwing: { .duplicate($0.fixed) }, ["an active constraint added": { try $0.solver.add($0.fixed) }])
        + cases(throwing: { .duplicate($0.wish) }, ["an active preference added": { try $0.solver.add($0.wish) }])
        + cases(
            throwing: { .unknownConstraint($0.resting) },
            ["an inactive constraint removed": { try $0.solver.remove($0.resting) }]
        )

    private static let variableCases: [Case] =
        cases(
            throwing: { .unknownVariable($0.gone) },
            [
                "a removed variable in a term": {
                    try $0.solver.add(LinearConstraint([Term($0.y), Term($0.gone)], .equal, 1))
                },
                "a variable removed twice": { try $0.solver.removeVariable($0.gone) },
                "an edit of a removed variable": { try $0.solver.addEdit($0.gone, priority: Priority(1)) },
                "a suggestion for a removed variable": { try $0.solver.suggest(1, for: $0.gone) },
            ]
        )
        + cases(
            throwing: { .unknownVariable($0.foreign) },
            [
                "a variable of another solver in a term": {
                    try $0.solver.add(LinearConstraint([Term($0.y), Term($0.foreign)], .equal, 1))
                }
            ]
        )
        + cases(throwing: { .variableInUse($0.x) }, ["a used variable removed": { try $0.solver.removeVariable($0.x) }])
        + cases(
            throwing: { .duplicateEdit($0.y) },
            ["a second edit": { try $0.solver.addEdit($0.y, priority: Priority(900)) }]
        )
        + cases(
            throwing: { .noEdit($0.free) },
            [
                "a suggestion without an edit": { try $0.solver.suggest(1, for: $0.free) },
                "the end of a missing edit": { try $0.solver.removeEdit($0.free) },
            ]
        )

    private static let conflictCases: [Case] = [
        Case(testDescription: "an unsatisfiable required constraint") {
            try $0.solver.add(LinearConstraint([Term($0.x)], .lessThanOrEqual, 6))
        } isExpected: { error, system in
            guard case .unsatisfiable(let id, let members) = error else { return false }
            return members.count == 2 && members.contains(system.fixed) && members.contains(id)
        },
        Case(testDescription: "a preference that cannot become required") { system in
            try system.solver.transaction { solver throws(SolverError) in
                try solver.setConstant(system.wish, 24)
                try solver.setPriority(system.wish, .required)
            }
        } isExpected: { error, system in
            guard case .unsatisfiable(let id, let members) = error else { return false }
            return id == system.wish && members.count == 3
        },
        Case(testDescription: "an unsatisfiable required edit") {
            try $0.solver.addEdit($0.x, priority: .required)
        } isExpected: { error, system in
            guard case .unsatisfiable(_, let members) = error else { return false }
            return members.contains(system.fixed)
        },
    ]

    static var cases: [Case] { numberCases + rangeCases + constraintCases + variableCases + conflictCases }

    @Test("Each throws an error that names the constraint, and not a bit of the system changes", arguments: cases)
    func refused(_ refusal: Case) throws {
        let system = try System()
        let twin = try System()
        _ = [system.solver.value(of: system.x), twin.solver.value(of: twin.x)]
        let before = Fingerprint(system.solver, withFree: false)
        let error = try #require(#expect(throws: SolverError.self) { try refusal.call(system) })
        #expect(refusal.isExpected(error, system), "\(error)")
        #expect(error.description.contains(";"), "the description has a remedy: \(error)")
        // A refused constraint takes an index and frees it again.
        let after = Fingerprint(system.solver, withFree: false)
        let isSame = after == before
        #expect(isSame)
        // Later calls compute the same bits as without the invalid ones.
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
