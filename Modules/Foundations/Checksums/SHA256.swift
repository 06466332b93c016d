import TextEscaping

/// SHA-256 (FIPS 180-4), for names and keys: neither the standard library nor FoundationEssentials has it.
package enum SHA256 {
    private static let constants: [UInt32] = {
        // The first 32 bits of the fractional parts of the cube roots of the first 64 primes, in integer arithmetic.
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { UInt32(truncatingIfNeeded: root(of: $0, power: 3)) }
    }()

    private static let start: [UInt32] = [2, 3, 5, 7, 11, 13, 17, 19].map {
        UInt32(truncatingIfNeeded: root(of: $0, power: 2))
    }

    /// Returns the root of `number` times 2^32, rounded down: the largest x with x^power <= number * 2^(32 * power).
    private static func root(of number: UInt64, power: Int) -> UInt64 {
        var low: UInt64 = 0
        var high: UInt64 = 1 << 37
        while high - low > 1 {
            let middle = (low + high) / 2
            if isPower(middle, power, atMost: number) { low = middle } else { high = middle }
        }
        return low
    }

    /// Whether base^power <= number * 2^(32 * power), computed in 128 bits.
    private static func isPower(_ base: UInt64, _ power: Int, atMost number: UInt64) -> Bool {
        let square = base.multipliedFullWidth(by: base)
        if power == 2 { return square.high < number || (square.high == number && square.low == 0) }
        // base^3 <= number * 2^96: the halves of the square are multiplied separately; base < 2^37, so that the high half
        // does not overflow.
        let low = square.low.multipliedFullWidth(by: base)
        let high = square.high &* base &+ low.high
        return high >> 32 < number || (high >> 32 == number && high & 0xFFFF_FFFF == 0 && low.low == 0)
    }

    /// Returns the digest, 32 bytes.
    package static func digest(of message: some Collection<UInt8>) -> [UInt8] {
        var padded = Array(message)
        let bits = UInt64(padded.count) * 8
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { padded.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        var state = start
        state.withUnsafeMutableBufferPointer { state in
            padded.withUnsafeBytes { bytes in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                    constants.withUnsafeBufferPointer { constants in
                        for block in stride(from: 0, to: bytes.count, by: 64) {
                            fill(words, from: bytes, at: block)
                            mix(state, words, constants)
                        }
                    }
                }
            }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// Returns the digest as 64 lower-case hexadecimal digits.
    package static func hexadecimal(of message: some Collection<UInt8>) -> String {
        Hexadecimal.string(of: digest(of: message))
    }

    /// Computes the message schedule of a block.
    private static func fill(
        _ words: UnsafeMutableBufferPointer<UInt32>,
        from bytes: UnsafeRawBufferPointer,
        at block: Int
    ) {
        for index in 0..<16 {
            words[index] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: block + 4 * index, as: UInt32.self))
        }
        for index in 16..<64 {
            let first = words[index - 15]
            let second = words[index - 2]
            let small = turn(first, 7) ^ turn(first, 18) ^ (first >> 3)
            let large = turn(second, 17) ^ turn(second, 19) ^ (second >> 10)
            words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
        }
    }

    private static func mix(
        _ state: UnsafeMutableBufferPointer<UInt32>,
        _ words: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ choice &+ constants[index] &+ words[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private static func turn(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value >> count | value << (32 - count)
    }
}
