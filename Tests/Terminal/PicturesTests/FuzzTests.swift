import Pictures
import TestSupport
import Testing

@Suite("Random pictures")
struct FuzzTests {
    @Test(
        "A mutated file is a typed error or a picture within the limits, for as long as PAWKIT_FUZZ_SECONDS says",
        arguments: [PictureFormat.jpeg, .png, .gif]
    )
    func mutated(_ format: PictureFormat) throws {
        let files = try HostileInputTests.files().map(\.bytes).filter { PictureFormat(sniffing: $0) == format }
        try #require(!files.isEmpty)
        let decoder = PictureDecoder(
            limits: PictureLimits(pixels: 100_000, memory: 8 << 20, scans: 16, time: .seconds(2))
        )
        let seed = UInt64.random(in: 1 ... .max)
        var random = SeededGenerator(seed: seed)
        let end = ContinuousClock.now + fuzzTime
        var rounds = 0
        var pictures = 0
        while rounds < 1000 || ContinuousClock.now < end {
            rounds += 1
            let bytes = Self.mutated(files, &random)
            let box =
                Bool.random(using: &random)
                ? nil
                : PixelSize(
                    width: Int.random(in: 0...40, using: &random),
                    height: Int.random(in: 0...40, using: &random)
                )
            guard let decoded = try? decoder.decode(bytes, fitting: box) else { continue }
            pictures += 1
            let size = decoded.picture.size
            if size.width * size.height > 100_000 || decoded.picture.pixels.count != size.width * size.height * 4 {
                Issue.record("seed \(seed), round \(rounds): \(size)")
                return
            }
        }
        #expect(pictures > 0, "none of \(rounds) files could be decoded, seed \(seed)")
    }

    /// Returns a file with a few random changes.
    private static func mutated(_ files: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = files.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...8, using: &random) where bytes.count > 8 {
            let offset = Int.random(in: 3..<bytes.count, using: &random)
            let length = Int.random(in: 1...min(64, bytes.count - offset), using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes[offset] = .random(in: 0...255, using: &random)
            case 1: bytes[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes.removeSubrange(offset..<offset + length)
            case 3: bytes.insert(contentsOf: Array(bytes[offset..<offset + length]), at: offset)
            case 4: bytes.removeSubrange(offset...)
            case 5:
                // The sizes and lengths of all formats have extreme values at their ends.
                for place in offset..<offset + min(4, length) { bytes[place] = Bool.random(using: &random) ? 0 : 0xFF }
            case 6:
                let other = files.randomElement(using: &random) ?? []
                let start = Int.random(in: 0..<max(1, other.count), using: &random)
                bytes.replaceSubrange(offset..<offset + length, with: other[start...].prefix(length))
            default: bytes.insert(.random(in: 0...255, using: &random), at: offset)
            }
        }
        return bytes
    }
}
