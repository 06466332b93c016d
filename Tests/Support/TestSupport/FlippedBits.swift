/// Which bits of a file a test flips, one at a time: all of them in a long run, else one of every two bytes, chosen anew in
/// each run so that many runs come to all of them.
package enum FlippedBits {
    package static func of(_ byteCount: Int) -> [Int] {
        var generator = SystemRandomNumberGenerator()
        return of(byteCount, using: &generator)
    }

    package static func of(_ byteCount: Int, using generator: inout some RandomNumberGenerator) -> [Int] {
        if isLongRun { return Array(0..<byteCount * 8) }
        return stride(from: 0, to: byteCount, by: 2).map { place in
            min(place * 8 + Int.random(in: 0..<16, using: &generator), byteCount * 8 - 1)
        }
    }
}

extension MutableCollection<UInt8> where Index == Int {
    /// Returns the bytes with one bit changed, counted from the lowest one of the first byte.
    package func flipping(_ bit: Int) -> Self {
        var bytes = self
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }
}
