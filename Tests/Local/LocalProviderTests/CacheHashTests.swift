import TestSupport
import Testing

@testable import LocalProvider

@Suite("Hashes of cached keys")
struct CacheHashTests {
    private let hasher = CacheHash()

    @Test("Strings that are equal in any normalization form have the same hash")
    func equivalence() throws {
        let pairs = [
            ("K", "\u{212A}"), (";", "\u{037E}"), ("`", "\u{1FEF}"), ("a\u{212A}b;c", "aKb\u{037E}c"),
            ("e\u{301}", "\u{E9}"), ("\u{1100}\u{1161}", "\u{AC00}"), ("\u{2126}", "\u{3A9}"),
        ]
        for (left, right) in pairs {
            #expect(left == right && hasher.hash(of: left) == hasher.hash(of: right), "\(left)")
            let cache = MemoryCache<String, Int>(.init(countLimit: 10))
            cache.set(1, for: left)
            #expect(cache.value(for: right) == 1)
        }
    }

    @Test("No other scalar than the three is equal to an ASCII string")
    func onlyThree() {
        // What the fast way rests on, looked at with this Unicode's own tables.
        let found = (UInt32(0x80)...(isLongRun ? 0x10_FFFF : 0x2FFF)).compactMap(Unicode.Scalar.init).filter { scalar in
            scalar.properties.canonicalCombiningClass == .notReordered
                && Self.equalsASCII(String(Character(scalar)))
        }
        #expect(Set(found.map(\.value)) == [0x037E, 0x1FEF, 0x212A])
    }

    private static let printable = Set((UInt8(0)..<0x80).map { String(UnicodeScalar($0)) })

    private static func equalsASCII(_ text: String) -> Bool { printable.contains(text) }

    @Test("Strings up to 40 bytes have other hashes if any byte differs, spread over a table")
    func spread() {
        var seen: [UInt: String] = [:]
        for length in 0..<40 {
            for place in 0..<max(1, length) {
                for byte in UInt8(ascii: "0")...UInt8(ascii: "9") {
                    var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                    if length > 0 { bytes[place] = byte }
                    let text = String(decoding: bytes, as: UTF8.self)
                    let other = seen.updateValue(text, forKey: hasher.hash(of: text))
                    #expect(other == nil || other == text, "\(other ?? "") and \(text)")
                }
            }
        }
        // Keys that differ in their last digits only, as most do: in 1,024 places, none gets many.
        for hashes in [(0..<65_536).map { hasher.hash(of: "key-\($0)") }, (0..<65_536).map { hasher.hash(of: $0) }] {
            // The bits that the table goes by, those that the ghosts go by, and those that the parts go by.
            for bits in [22, 12, 40] {
                var counts = [Int](repeating: 0, count: 1_024)
                for hash in hashes { counts[Int(truncatingIfNeeded: hash >> UInt(bits)) & 1_023] += 1 }
                // 64 on average, 8 the standard deviation.
                #expect(counts.allSatisfy { (16...128).contains($0) })
            }
        }
    }

    @Test("Canonically equivalent identifiers with different bytes are different keys")
    func identifiers() throws {
        let cache = MemoryCache<LocalIdentifier, Int>(.init(countLimit: 10))
        let (left, right) = (try LocalIdentifier("\u{E9}"), try LocalIdentifier("e\u{301}"))
        cache.set(1, for: left)
        cache.set(2, for: right)
        #expect(cache.value(for: left) == 1 && cache.value(for: right) == 2 && cache.count == 2)
    }
}
