import Checksums

/// A reproducible random number generator for property tests: print the seed to reproduce a failure.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed.
    public let seed: UInt64
    private var generator: SplitMix64

    /// Creates a generator whose numbers depend only on `seed`.
    public init(seed: UInt64) {
        self.seed = seed
        generator = SplitMix64(seed: seed)
    }

    /// Creates a generator with a random seed, which the test prints with a failure.
    public init() { self.init(seed: .random(in: 0 ... .max)) }

    public mutating func next() -> UInt64 { generator.next() }
}
