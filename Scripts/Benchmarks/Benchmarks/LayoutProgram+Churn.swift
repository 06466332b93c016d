import ConstraintSolver

extension LayoutProgram {
    /// Random preferences that tie near variables, as views are tied to their neighbours, put into force and taken out in
    /// random order; values are read after every eighth step.
    static func churn(variables count: Int, operations: Int) -> LayoutProgram {
        var program = LayoutProgram()
        var random = Random(state: 11)
        for _ in 0..<count { _ = program.variable() }
        program.phase("build")
        for variable in 0..<count { program.add([(variable, 1)], .greaterThanOrEqual, 0) }
        var pool: [Int] = []
        for _ in 0..<count * 5 / 2 {
            let base = random.next(count - 4)
            var near = [base, base + 1, base + 2, base + 3, base + 4]
            let picked = (0..<[1, 2, 2, 2, 3][random.next(5)]).map { _ in near.remove(at: random.next(near.count)) }
            let factors = [1, -1, [-0.5, 0.5, -1][random.next(3)]]
            let constant = picked.count == 1 ? random.next(300) : random.next(80) - 40
            pool.append(
                program.define(
                    Entry(
                        picked.enumerated().map { ($0.element, factors[$0.offset]) },
                        [.lessThanOrEqual, .greaterThanOrEqual, .equal, .equal][random.next(4)],
                        Double(constant),
                        [100, 100, 500, 900][random.next(4)],
                        weight: [1, 7][random.next(2)]
                    )
                )
            )
        }
        var waiting = pool
        var inForce: [Int] = []
        while inForce.count < pool.count / 2 { inForce.append(waiting.remove(at: random.next(waiting.count))) }
        for entry in inForce { program.step(.add(entry)) }
        program.step(.read)
        program.phase("churn")
        for index in 0..<operations {
            if random.next(2) == 0, inForce.count > pool.count / 3 || waiting.isEmpty {
                let entry = inForce.remove(at: random.next(inForce.count))
                waiting.append(entry)
                program.step(.remove(entry))
            } else if !waiting.isEmpty {
                let entry = waiting.remove(at: random.next(waiting.count))
                inForce.append(entry)
                program.step(.add(entry))
            }
            if index % 8 == 0 { program.step(.read) }
        }
        program.step(.read)
        return program
    }

    /// The same numbers on every run: a linear congruential generator (Knuth's MMIX constants), its upper bits.
    struct Random {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }
}
