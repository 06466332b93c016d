import Foundation
import Testing

@testable import Checksums

@Suite("Checksums")
struct ChecksumsTests {
    @Test("SHA-256 returns the digests of the examples in FIPS 180-4")
    func digests() {
        func hex(_ text: String) -> String {
            SHA256.digest(of: text.utf8).map { String(format: "%02x", $0) }.joined()
        }
        #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(SHA256.hexadecimal(of: "abc".utf8) == hex("abc"))
        #expect(hex(long) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    @Test("MD5 returns the digests of the examples in RFC 1321, and pads every length")
    func md5() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for (text, digest) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            (alphabet, "d174ab98d277d9f5a5611c2c9f419d9f"),
            (String(repeating: "a", count: 1_000), "cabe45dcc9ae5b66ba86600cca6b8ba8"),
        ] {
            #expect(MD5.hexadecimal(of: text.utf8) == digest)
        }
        // The digests of 0 to 130 letters in a row, digested again; from Python's hashlib.
        let all = (0...130).flatMap { MD5.digest(of: [UInt8](repeating: 97, count: $0)) }
        #expect(MD5.hexadecimal(of: all) == "714e67f3fc9e8a62eaf3f30c0329a554")
    }

    @Test("CRC-32C returns the check value of RFC 3720, at once and in parts")
    func checksums() {
        let bytes = Array("123456789".utf8)
        #expect(CRC32C.checksum(of: bytes) == 0xE306_9283)
        for cut in 0...9 {
            let sum = bytes.withUnsafeBytes { buffer in
                let first = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: buffer[..<cut]))
                return CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: buffer[cut...]), after: first)
            }
            #expect(sum == 0xE306_9283)
        }
    }

    @Test("CRC-32C is the same with and without the processor's instruction, for every length, place and beginning")
    func tables() {
        var generator = SplitMix64(seed: 7)
        let bytes = (0..<80).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes.withUnsafeBytes { buffer in
            for start in 0..<9 {
                for end in start...80 {
                    let range = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
                    let previous = UInt32(start) << 29
                    let sum = CRC32C.checksum(of: range, after: previous)
                    #expect(sum == CRC32C.checksumByTables(of: range, after: previous))
                }
            }
        }
        #expect(CRC32C.checksum(of: UnsafeRawBufferPointer(start: nil, count: 0), after: 5) == 5)
    }
}
