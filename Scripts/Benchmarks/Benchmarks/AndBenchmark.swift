import And

/// Counts the instructions of And's members and of the same assignments written by hand: both must be equal.
struct AndBenchmark: Benchmark {
    let area = "and"
    let summary = "instructions of and, with and do against assignments written by hand"

    let workloads = [
        Workload(name: "and.reference") { iterations in
            for index in 0..<iterations { blackHole(configuredByAnd(index)) }
        },
        Workload(name: "and.reference.hand") { iterations in
            for index in 0..<iterations { blackHole(configuredByHand(index)) }
        },
        Workload(name: "and.value") { iterations in
            for index in 0..<iterations { blackHole(changedByWith(Frame(), index)) }
        },
        Workload(name: "and.value.hand") { iterations in
            for index in 0..<iterations { blackHole(changedByHand(Frame(), index)) }
        },
        Workload(name: "and.effect") { iterations in
            let box = Box()
            for index in 0..<iterations { effectByDo(box, index) }
            blackHole(box)
        },
        Workload(name: "and.effect.hand") { iterations in
            let box = Box()
            for index in 0..<iterations { effectByHand(box, index) }
            blackHole(box)
        },
    ]

    func run() async throws -> [BenchmarkRow] {
        let counter = InstructionCounter()
        let pairs = [
            ("and on a reference", "and.reference"), ("with on a value", "and.value"),
            ("do for an effect", "and.effect"),
        ]
        return try pairs.map { name, workload in
            let ours = try counter.instructions(of: workload)
            let hand = try counter.instructions(of: workload + ".hand")
            guard let ours, let hand else {
                return row(name, nil, "x instructions", atMost: 1, against: "valgrind is not installed")
            }
            let against = "written by hand: \(hand.brief) an iteration"
            return row(name, ours / hand, "x instructions", atMost: 1, against: against)
        }
    }
}

private final class Box: And {
    var left = 0
    var right = 0
    var name = ""
}

private struct Frame: And {
    var left = 0
    var right = 0
    var top = 0
    var bottom = 0
}

@inline(never)
private func configuredByAnd(_ index: Int) -> Box {
    Box().and {
        $0.left = index
        $0.right = index &+ 1
        $0.name = "box"
    }
}

@inline(never)
private func configuredByHand(_ index: Int) -> Box {
    let box = Box()
    box.left = index
    box.right = index &+ 1
    box.name = "box"
    return box
}

@inline(never)
private func changedByWith(_ frame: Frame, _ index: Int) -> Frame {
    frame.with {
        $0.left = index
        $0.bottom = index &+ 1
    }
}

@inline(never)
private func changedByHand(_ frame: Frame, _ index: Int) -> Frame {
    var copy = frame
    copy.left = index
    copy.bottom = index &+ 1
    return copy
}

@inline(never)
private func effectByDo(_ box: Box, _ index: Int) {
    box.do {
        $0.left = index
        $0.right &+= index
    }
}

@inline(never)
private func effectByHand(_ box: Box, _ index: Int) {
    box.left = index
    box.right &+= index
}
