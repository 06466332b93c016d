import Testing

@testable import Pictures

@Suite("LZW")
struct LZWTests {
    /// Packs codes as GIF does: least significant bit first, one bit wider when the table reaches a power of two.
    private struct Writer {
        let codeSize: Int
        private(set) var bytes: [UInt8] = []
        private(set) var next: Int
        private var width: Int
        private var hasPrevious = false
        private var bits = 0
        private var count = 0

        init(codeSize: Int) {
            self.codeSize = codeSize
            next = (1 << codeSize) + 2
            width = codeSize + 1
        }

        mutating func write(_ code: Int) {
            bits |= code << count
            count += width
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                count -= 8
            }
            if hasPrevious && next <= 4095 {
                next += 1
                if next == 1 << width && width < 12 { width += 1 }
            }
            hasPrevious = true
        }

        func finished() -> [UInt8] { count > 0 ? bytes + [UInt8(truncatingIfNeeded: bits)] : bytes }
    }

    @Test("Code 4095, the last of the table, is decoded, before and after the table is full")
    func lastCode() {
        var writer = Writer(codeSize: 8)
        var expected: [UInt8] = []
        var literal = UInt8(0)
        while writer.next < 4095 {
            writer.write(Int(literal))
            expected.append(literal)
            literal = literal &* 5 &+ 3
        }
        // The table has the entries up to 4094: this code defines itself as the last literal, twice.
        let last = expected[expected.count - 1]
        writer.write(4095)
        expected += [last, last]
        // The table is full: no entry is added, and the width stays at 12 bits.
        for code in [4095, 7, 4095, 258, 4094] {
            writer.write(code)
            switch code {
            case 4095: expected += [last, last]
            case 258: expected += expected[0...1]
            case 4094: expected += [expected[4094 - 258], expected[4094 - 258 + 1]]
            default: expected.append(UInt8(code))
            }
        }
        let result = LZW.decompress(writer.finished(), codeSize: 8, count: expected.count)
        #expect(!result.isDamaged)
        #expect(result.indices == expected)
    }

    @Test("Fewer indices are returned if fewer are wanted, and a code out of order is damage")
    func limits() {
        var writer = Writer(codeSize: 2)
        for code in [1, 6, 7] { writer.write(code) }
        #expect(LZW.decompress(writer.finished(), codeSize: 2, count: 4).indices == [1, 1, 1, 1])
        #expect(LZW.decompress(writer.finished(), codeSize: 2, count: 6).indices == [1, 1, 1, 1, 1, 1])
        var damaged = Writer(codeSize: 2)
        for code in [1, 7] { damaged.write(code) }
        let result = LZW.decompress(damaged.finished(), codeSize: 2, count: 9)
        #expect(result.isDamaged && result.indices == [1])
    }
}
