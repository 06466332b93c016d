#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What one side of a comparison took, as medians over the rounds.
struct Timing: Sendable {
    /// Seconds on the clock.
    var wall: Double
    /// Seconds of CPU, user and system, of the whole process.
    var cpu: Double
}

/// Measures several sides in turn, so that a slow moment of the machine hits all of them alike; each goes first, and comes
/// behind each other one, equally often.
///
/// - Parameters:
///   - rounds: How often each side runs; one more round before them warms the caches and is thrown away.
///   - sides: The work of each side.
/// - Returns: The medians, in the order of `sides`.
/// - Throws: What a side throws.
func interleaved(rounds: Int = 15, _ sides: [() throws -> Void]) throws -> [Timing] {
    var samples = [[Timing]](repeating: [], count: sides.count)
    for round in 0...rounds {
        for index in turns(round, sides.count) {
            let side = sides[index]
            let start = (ContinuousClock.now, cpuSeconds())
            try side()
            let sample = Timing(wall: (ContinuousClock.now - start.0).seconds, cpu: cpuSeconds() - start.1)
            if round > 0 { samples[index].append(sample) }
        }
    }
    return samples.map { Timing(wall: median($0.map(\.wall)), cpu: median($0.map(\.cpu))) }
}

/// Measures several sides whose work may suspend; see the other form.
///
/// - Throws: What a side throws.
nonisolated(nonsending) func interleaved(
    rounds: Int = 15,
    _ sides: [nonisolated(nonsending) () async throws -> Void]
) async throws -> [Timing] {
    var samples = [[Timing]](repeating: [], count: sides.count)
    for round in 0...rounds {
        for index in turns(round, sides.count) {
            let side = sides[index]
            let start = (ContinuousClock.now, cpuSeconds())
            try await side()
            let sample = Timing(wall: (ContinuousClock.now - start.0).seconds, cpu: cpuSeconds() - start.1)
            if round > 0 { samples[index].append(sample) }
        }
    }
    return samples.map { Timing(wall: median($0.map(\.wall)), cpu: median($0.map(\.cpu))) }
}

/// The order of a round: another side first each time, and after each pass of that the other way round.
private func turns(_ round: Int, _ count: Int) -> [Int] {
    let order = (0..<count).map { ($0 + round) % count }
    return (round / count).isMultiple(of: 2) ? order : order.reversed()
}

/// The middle of `values`, or the mean of the two in the middle; 0 for none.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
}

/// Seconds of CPU that this process has used so far, user and system.
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

/// Keeps the optimiser from dropping the work that made `value`.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: Value) {}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
