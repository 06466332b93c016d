import TestSupport

/// Which bits of a file a test flips, one at a time: all of them in a long run, else one of every two bytes, chosen anew in
/// each run so that many runs come to all of them.
enum FlippedBits {
    static func of(_ byteCount: Int) -> [Int] {
        var generator = SystemRandomNumberGenerator()
        return of(byteCount, using: &generator)
    }

    static func of(_ byteCount: Int, using generator: inout some RandomNumberGenerator) -> [Int] {
        if isLongRun { return Array(0..<byteCount * 8) }
        return stride(from: 0, to: byteCount, by: 2).map { place in
            min(place * 8 + Int.random(in: 0..<16, using: &generator), byteCount * 8 - 1)
        }
    }
}
