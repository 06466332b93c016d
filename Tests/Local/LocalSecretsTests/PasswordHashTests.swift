import Foundation
import LocalSecrets
import TestSupport
import Testing

@Suite("Password hashes")
struct PasswordHashTests {
    @Test("A hash matches its password only, and equal passwords have different hashes")
    func matching() throws {
        let hash = try PasswordHash("비밀번호123", cost: .weakest)
        #expect(try hash.matches("비밀번호123"))
        for other in ["비밀번호12", "비밀번호1234", " 비밀번호123", "비밀번호123\0", ""] {
            #expect(try !hash.matches(other), "\(other.debugDescription)")
        }
        #expect(try PasswordHash("비밀번호123", cost: .weakest) != hash)
        #expect(hash.text.hasPrefix("$argon2id$v=19$"))
    }

    @Test("Canonically equivalent passwords match; case and outer spaces count")
    func normalization() throws {
        let hash = try PasswordHash("cafe\u{301}12", cost: .weakest)
        for password in ["caf\u{e9}12", "cafe\u{301}12"] { #expect(try hash.matches(password)) }
        #expect(try !hash.matches("CAF\u{c9}12"))
        #expect(try !hash.matches("caf\u{e9}12 "))
    }

    @Test("A hash is stored as text, and reports whether it has another cost")
    func storing() throws {
        let hash = try PasswordHash("secret-1", cost: .weakest)
        let data = try JSONEncoder().encode([hash])
        let decoded = try JSONDecoder().decode([PasswordHash].self, from: data)
        #expect(decoded == [hash])
        #expect(!hash.needsRehash(cost: .weakest))
        #expect(hash.needsRehash(cost: .minimum))
    }

    @Test("An unmatchable hash is well formed, matches nothing, and takes as long as another one of its cost")
    func unmatchable() throws {
        let dummy = PasswordHash.unmatchable(cost: .minimum)
        #expect(!dummy.needsRehash(cost: .minimum))
        let real = try PasswordHash("secret-1", cost: .minimum)
        func fastest(_ hash: PasswordHash) throws -> Duration {
            let times = try (0..<5).map { _ in
                try processorTime {
                    let isRight = try hash.matches("secret-2")
                    #expect(!isRight)
                }
            }
            return times.min() ?? .zero
        }
        let (one, other) = (try fastest(dummy), try fastest(real))
        #expect(one > other / 3 && other > one / 3, "\(one) and \(other)")
    }

    #if os(Linux)
        /// In a separate process, which has no other tests that need the memory.
        @Test("Without the memory to compare a password, it is not called another one")
        func noMemory() async {
            await #expect(processExitsWith: .success) {
                let file = try #require(FileHandle(forReadingAtPath: "/proc/self/statm"))
                let statistics = try file.readToEnd() ?? Data()
                let pages = try #require(UInt(String(decoding: statistics.prefix { $0 != 0x20 }, as: UTF8.self)))
                var limit = rlimit(rlim_cur: pages * UInt(getpagesize()) + 32 << 20, rlim_max: .max)
                #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
                let hash = try PasswordHash("secret-1", cost: .minimum)
                #expect(try hash.matches("secret-1"))
                #expect(throws: SecretError.noMemory) { try PasswordHash.unmatchable().matches("secret-1") }
            }
        }
    #endif

    @Test("A damaged hash matches nothing", arguments: ["", "$argon2id$", "x", String(repeating: "a", count: 4_000)])
    func damaged(text: String) throws {
        #expect(try !PasswordHash(text: text).matches("secret-1"))
        #expect(PasswordHash(text: text).needsRehash(cost: .minimum))
    }

    @Test("No description shows a hash")
    func descriptions() throws {
        let hash = try PasswordHash("secret-1", cost: .weakest)
        var dumped = ""
        dump(hash, to: &dumped)
        for text in ["\(hash)", String(reflecting: hash), dumped] { #expect(!text.contains("$v=19")) }
    }
}
