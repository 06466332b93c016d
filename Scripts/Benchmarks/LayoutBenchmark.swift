import Foundation
import NeedleKit

/// The solver beside kiwi on the same programs, and the engine's smallest change in a long list.
struct LayoutBenchmark: Benchmark {
    let area = "layout"
    let summary = "the constraint solver against kiwi, and a change of one constant in a list of 500 rows"

    func run() async throws -> [BenchmarkRow] {
        let peer = KiwiPeer()
        var rows: [BenchmarkRow] = []
        rows += try compare("chain of 100", .chain(100, resizes: 20), ["resize": 15], peer)
        rows += try compare("chain of 1,000", .chain(1000, resizes: 1), ["resize": 1000], peer, rounds: 2)
        rows += try compare("grid 5x4", .grid(rows: 5, columns: 4, resizes: 40), ["resize": 3], peer)
        let list = LayoutProgram.list(100, resizes: 40, reloads: 40)
        rows += try compare("list of 100 rows", list, ["resize": 60, "reload": 250], peer)
        rows.append(await constantInList())
        return rows
    }

    /// Runs a program on both sides in turn: one row for each phase, the peer's time over ours.
    private func compare(
        _ name: String,
        _ program: LayoutProgram,
        _ targets: [String: Double],
        _ peer: KiwiPeer,
        rounds: Int = 5
    ) throws -> [BenchmarkRow] {
        var ours: [[Double]] = []
        var theirs: [[Double]] = []
        for _ in 0..<rounds {
            ours.append(try program.run())
            if let times = try peer.run(program) { theirs.append(times) }
        }
        return program.phases.indices.map { phase in
            let own = median(ours.map { $0[phase] })
            let title = "\(name), \(program.phases[phase].name)"
            guard !theirs.isEmpty else {
                let against = "ours \(own.brief) us; kiwi is missing: \(peer.reason)"
                return .atLeast(
                    targets[program.phases[phase].name] ?? 1,
                    area: area,
                    name: title,
                    value: nil,
                    unit: "x faster",
                    against: against
                )
            }
            let other = median(theirs.map { $0[phase] })
            return .atLeast(
                targets[program.phases[phase].name] ?? 1,
                area: area,
                name: title,
                value: other / own,
                unit: "x faster",
                against: "kiwi \(other.brief) us, ours \(own.brief) us"
            )
        }
    }

    /// Sets the constant of one title's width in a list of 500 rows and reads the changed frames.
    @MainActor
    private func constantInList() -> BenchmarkRow {
        let list = LayoutBenchmarkList(rows: 500)
        var samples: [Double] = []
        for index in 0..<200 {
            let start = ContinuousClock.now
            list.change(index)
            samples.append((ContinuousClock.now - start).seconds * 1e6)
        }
        return .atMost(
            10,
            area: area,
            name: "set a constant and read the changed frames, list of 500",
            value: median(samples),
            unit: "us",
            against: "through the engine, median of 200"
        )
    }
}
