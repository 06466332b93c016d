/// GIF's variable-width LZW (GIF89a specification, appendix F).
enum LZW {
    /// The decompressed indices, and whether an invalid code ended them.
    struct Result {
        var indices: [UInt8]
        var isDamaged = false
    }

    private static let largestCode = 4095

    /// Decompresses at most `count` indices.
    ///
    /// - Parameters:
    ///   - data: The joined sub-blocks.
    ///   - codeSize: The number of bits of an index, 1...8.
    ///   - count: The maximum number of indices.
    /// - Returns: The indices, fewer if the data ends early or is damaged.
    static func decompress(_ data: [UInt8], codeSize: Int, count: Int) -> Result {
        let clear = 1 << codeSize
        let end = clear + 1
        // An entry consists of its last index and the entry before it.
        var prefixes = [Int](repeating: -1, count: largestCode + 1)
        var suffixes = (0...largestCode).map { UInt8(truncatingIfNeeded: $0) }
        var next = end + 1
        var width = codeSize + 1
        var previous = -1
        var bits = 0
        var bitCount = 0
        var result = Result(indices: [])
        result.indices.reserveCapacity(min(count, data.count * 8))
        var run: [UInt8] = []

        for byte in data {
            bits |= Int(byte) << bitCount
            bitCount += 8
            while bitCount >= width {
                let code = bits & (1 << width - 1)
                bits >>= width
                bitCount -= width
                if code == end { return result }
                if code == clear {
                    (next, width, previous) = (end + 1, codeSize + 1, -1)
                    continue
                }
                guard code < next || (code == next && previous >= 0), previous >= 0 || code < clear else {
                    result.isDamaged = true
                    return result
                }
                // A code that is not in the table yet means the previous run followed by its first index.
                run.removeAll(keepingCapacity: true)
                var entry = code < next ? code : previous
                while entry >= 0 {
                    run.append(suffixes[entry])
                    entry = prefixes[entry]
                }
                guard let first = run.last else { return result }
                result.indices.append(contentsOf: run.reversed())
                if code == next { result.indices.append(first) }
                if previous >= 0, next <= largestCode {
                    prefixes[next] = previous
                    suffixes[next] = first
                    next += 1
                    if next == 1 << width, width < 12 { width += 1 }
                }
                previous = code
                if result.indices.count >= count {
                    result.indices.removeLast(result.indices.count - count)
                    return result
                }
            }
        }
        return result
    }
}
