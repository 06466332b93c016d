import Foundation

/// Keys as real traces have them: few requested often, many seldom (Zipf's law).
public struct ZipfTrace {
    private var sums: [Double] = []

    /// Creates a trace of the keys from 0; the higher the exponent, the more often the first ones are requested.
    public init(count: Int, exponent: Double) {
        var sum = 0.0
        for rank in 1...count {
            sum += 1 / pow(Double(rank), exponent)
            sums.append(sum)
        }
    }

    /// Returns the next key.
    public func next(_ generator: inout some RandomNumberGenerator) -> Int {
        let wanted = Double.random(in: 0..<(sums.last ?? 1), using: &generator)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
