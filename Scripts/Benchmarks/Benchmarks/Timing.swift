import SystemCalls

/// The time of one side of a comparison: medians of the rounds.
struct Timing: Sendable {
    /// Wall-clock seconds.
    var wall: Double
    /// CPU seconds of the process, user and system.
    var cpu: Double
}

/// Measures several sides in turn, so that a slow moment of the machine affects all of them. Each side is first, and follows
/// each other side, equally often.
///
/// - Parameters:
///   - rounds: the number of runs of each side; one round before them warms the caches and is not counted.
///   - sides: the work of each side.
/// - Returns: the medians in the order of `sides`.
/// - Throws: the error of a side.
func interleaved(rounds: Int = 15, _ sides: [() throws -> Void]) throws -> [Timing] {
    var samples: [[Timing]] = sides.map { _ in [] }
    for round in 0...rounds {
        for index in turns(round, sides.count) {
            let (wall, cpu) = (ContinuousClock.now, cpuSeconds())
            try sides[index]()
            let timing = Timing(wall: (ContinuousClock.now - wall).seconds, cpu: cpuSeconds() - cpu)
            if round > 0 { samples[index].append(timing) }
        }
    }
    return samples.map { Timing(wall: median($0.map(\.wall)), cpu: median($0.map(\.cpu))) }
}

/// Returns the order of a round: each time another side is first, and after all have been, the order is reversed.
private func turns(_ round: Int, _ count: Int) -> [Int] {
    let order = (0..<count).map { ($0 + round) % count }
    return (round / count).isMultiple(of: 2) ? order : order.reversed()
}

/// Returns the median of `values`, or 0 if there are none.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
}

/// Returns the CPU seconds of this process so far, user and system.
func cpuSeconds() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
        getrusage(RUSAGE_SELF, &usage)
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Prevents the optimiser from removing the computation of `value`.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: Value) {}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
