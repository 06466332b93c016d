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
}
