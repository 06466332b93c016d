import Foundation

/// Keys as real traces have them: few asked for often, many seldom (Zipf's law).
struct ZipfTrace {
    private var sums: [Double] = []

    init(count: Int, exponent: Double) {
        var sum = 0.0
        for rank in 1...count {
            sum += 1 / pow(Double(rank), exponent)
            sums.append(sum)
        }
    }

    mutating func next(_ generator: inout some RandomNumberGenerator) -> Int {
        let wanted = Double.random(in: 0..<(sums.last ?? 1), using: &generator)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
