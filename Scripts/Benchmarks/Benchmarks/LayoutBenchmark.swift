import Foundation
import NeedleKit

/// The solver beside kiwi on the same programs, in time and in instructions, and the engine's smallest change in a long
/// list.
struct LayoutBenchmark: Benchmark {
    let area = "layout"
    let summary = "the constraint solver against kiwi in time and instructions, and layouts by the engine"
    let peers = [Peer.kiwi]

    /// For each phase of each program one run whose instructions can be separated from the rest.
    var workloads: [Workload] {
        func counted(_ name: String, _ phase: Int, _ program: @escaping @Sendable () -> LayoutProgram) -> Workload {
            Workload(name: name) { _ in
                do {
                    try program().run(counting: phase)
                } catch {
                    preconditionFailure("\(name): \(error)")
                }
            }
        }
        let phases = LayoutWorkload.all.flatMap { workload in
            workload.program.phases.indices.map { phase in
                counted(LayoutBenchmark.name(workload, phase), phase) { workload.program }
            }
        }
        return phases
            + LayoutProgram.Order.allCases.flatMap { order in
                LayoutBenchmark.orderSizes.map { size in
                    counted(LayoutBenchmark.name(order, size), 0) { .rows(size, labels: 1, order: order) }
                }
            }
    }

    func run() async throws -> [BenchmarkRow] {
        let peer = KiwiPeer()
        var rows: [BenchmarkRow] = []
        for workload in LayoutWorkload.all { rows += try times(workload, peer) }
        rows += try orderRows(peer)
        rows += try orderInstructions()
        rows += try correctnessRows()
        rows += await engineRows()
        rows += await engineOrderRows()
        for workload in LayoutWorkload.all where workload.isCounted { rows += try await instructions(workload, peer) }
        return rows
    }

    private static func name(_ workload: LayoutWorkload, _ phase: Int) -> String {
        "layout.\(workload.name).\(workload.program.phases[phase].name)"
    }

    // MARK: - Times

    /// Runs a program on both sides in turn: one row for each phase, the peer's time over ours.
    private func times(_ workload: LayoutWorkload, _ peer: KiwiPeer) throws -> [BenchmarkRow] {
        var ours: [[Double]] = []
        var theirs: [[Double]] = []
        var sums: (ours: Double, theirs: Double)?
        for _ in 0..<workload.rounds {
            let own = try workload.program.run()
            ours.append(own.times)
            guard let other = try peer.run(workload.program) else { continue }
            theirs.append(other.times)
            sums = (own.sum, other.sum)
        }
        let rows = workload.program.phases.indices.map { phase -> BenchmarkRow in
            let name = workload.program.phases[phase].name
            let own = median(ours.map { $0[phase] })
            let other = theirs.isEmpty ? nil : median(theirs.map { $0[phase] })
            return peer.ratio(own, other, "\(workload.name), \(name)", target: workload.faster[name])
        }
        return rows + [try difference(workload, sums, peer)]
    }

    /// Whether both sides computed the same values. Only a layout with one solution, which strict priorities and summed
    /// weights have in common, is compared.
    private func difference(
        _ workload: LayoutWorkload,
        _ sums: (ours: Double, theirs: Double)?,
        _ peer: KiwiPeer
    ) throws -> BenchmarkRow {
        let difference = sums.map { abs($0.ours - $0.theirs) / max(1, abs($0.theirs)) }
        let figures = sums.map { "the sum of all values, kiwi \($0.theirs.brief), ours \($0.ours.brief)" }
        let name = "\(workload.name), difference of the values"
        let open = try workload.program.openVariables()
        guard open == 0 else {
            let many = "\(open) values are not determined, so that both may differ"
            return row(name, difference, "of the sum", against: figures.map { "\(many): \($0)" } ?? many)
        }
        return row(name, difference, "of the sum", atMost: 1e-6, against: figures ?? peer.reason)
    }

    // MARK: - Instructions

    /// Counts what each phase takes on both sides, and what all phases take together.
    private func instructions(_ workload: LayoutWorkload, _ peer: KiwiPeer) async throws -> [BenchmarkRow] {
        var rows: [BenchmarkRow] = []
        var sums = (ours: 0.0, theirs: 0.0)
        var isComplete = true
        for phase in workload.program.phases.indices {
            async let counted = InstructionCounter().instructions(
                ofOneRun: LayoutBenchmark.name(workload, phase),
                inside: "*countedLayoutPhase*"
            )
            let other = try peer.instructions(workload.program, phase: phase)
            let own = try await counted
            if let own, let other {
                sums = (sums.ours + own, sums.theirs + other)
            } else {
                isComplete = false
            }
            rows.append(row(workload, workload.program.phases[phase].name, nil, own, other, peer))
        }
        guard workload.fewerInstructions != nil else { return rows }
        let (own, other) = isComplete ? sums : (nil, nil)
        return rows + [row(workload, "all phases", workload.fewerInstructions, own, other, peer)]
    }

    private func row(
        _ workload: LayoutWorkload,
        _ phase: String,
        _ target: Double?,
        _ own: Double?,
        _ other: Double?,
        _ peer: KiwiPeer
    ) -> BenchmarkRow {
        let against =
            if let own, let other {
                "kiwi \(other.brief), ours \(own.brief)"
            } else if own == nil {
                "valgrind is missing"
            } else {
                peer.reason
            }
        let name = "\(workload.name), \(phase)"
        let value = other.flatMap { other in own.map { other / $0 } }
        return row(name, value, "x fewer instructions", atLeast: target, against: against)
    }

    // MARK: - The engine

    /// Layouts of a list of rows through the engine: items, frames, and only those that changed.
    @MainActor
    private func engineRows() -> [BenchmarkRow] {
        let list = LayoutBenchmarkList(rows: 500)
        let constant = median((0..<200).map { index in time { list.change(index) } })
        let resize = median((0..<200).map { index in time { list.resize(index) } })
        let (what, against) = ("read the changed frames, list of 500", "through the engine, median of 200")
        return [
            row("set a constant and \(what)", constant, "us", atMost: 10, against: against),
            row("resize and \(what)", resize, "us", against: against),
        ]
    }

    private func time(_ body: () -> Void) -> Double {
        let start = ContinuousClock.now
        body()
        return (ContinuousClock.now - start).seconds * 1e6
    }
}
