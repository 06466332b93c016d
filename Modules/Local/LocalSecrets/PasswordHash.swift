import CSodium
import EssentialFoundation
import TextEscaping

/// A hash of a password by Argon2id, with its salt and its cost in one text.
///
/// ```swift
/// let hash = try PasswordHash(password, cost: .interactive)
/// let isRight = try hash.matches(attempt)
/// ```
///
/// Passwords are normalised (Unicode NFC), and never shortened or trimmed. Hashing takes the time and the memory of the cost:
/// do not call it on a thread that handles events, and limit how many run at the same time.
public struct PasswordHash: Hashable, Sendable {
    /// The cost of a hash, and so of guessing a password.
    public struct Cost: Hashable, Sendable {
        let operations: UInt64
        let memory: Int

        /// 19 MiB, two passes: the minimum that OWASP recommends, some hundredths of a second.
        public static let minimum = Cost(operations: 2, memory: 19 << 20)
        /// 64 MiB, two passes: libsodium's cost for interactive use, about a tenth of a second.
        public static let interactive = Cost(operations: 2, memory: 64 << 20)
        /// 256 MiB, three passes: most of a second.
        public static let moderate = Cost(operations: 3, memory: 256 << 20)
        /// The lowest cost that the algorithm supports: for tests.
        package static let weakest = Cost(operations: 1, memory: 8 << 10)
    }

    /// The hash as text of ASCII characters: algorithm, version, cost, salt and hash.
    public let text: String

    /// Hashes a password with a random salt.
    ///
    /// - Parameters:
    ///   - password: the password as the user types it.
    ///   - cost: the cost.
    /// - Throws: ``SecretError/noMemory``.
    public init(_ password: String, cost: Cost = .interactive) throws(SecretError) {
        guard sodium_init() >= 0 else { throw .noMemory }
        let password = password.composed
        var output = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        let result = password.withCString {
            crypto_pwhash_str(&output, $0, UInt64(password.utf8.count), cost.operations, cost.memory)
        }
        guard result == 0 else { throw .noMemory }
        text = String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Creates a hash from its text, as a store contains it.
    public init(text: String) { self.text = text }

    /// Returns a hash that no password matches.
    ///
    /// Comparing a password with it takes as long as with another hash of the cost. Use it for an unknown account, so that
    /// the time does not depend on whether the account exists.
    public static func unmatchable(cost: Cost = .interactive) -> PasswordHash {
        func random(_ count: Int) -> String {
            var generator = SystemRandomNumberGenerator()
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            return String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
        }
        return PasswordHash(
            text: "$argon2id$v=19$m=\(cost.memory >> 10),t=\(cost.operations),p=1$\(random(16))$\(random(32))"
        )
    }

    /// Returns whether a password has this hash; the comparison takes constant time.
    ///
    /// - Throws: ``SecretError/noMemory``.
    public func matches(_ password: String) throws(SecretError) -> Bool {
        guard sodium_init() >= 0 else { throw .noMemory }
        guard isWellFormed else { return false }
        let password = password.composed
        guard let parts else {
            return text.withCString { hash in
                password.withCString { crypto_pwhash_str_verify(hash, $0, UInt64(password.utf8.count)) == 0 }
            }
        }
        // Not by the function above, whose result without memory is that of another password.
        var output = [UInt8](repeating: 0, count: parts.hash.count)
        let result = password.withCString {
            crypto_pwhash(
                &output,
                UInt64(output.count),
                $0,
                UInt64(password.utf8.count),
                parts.salt,
                parts.cost.operations,
                parts.cost.memory,
                crypto_pwhash_alg_argon2id13()
            )
        }
        guard result == 0 else { throw .noMemory }
        return sodium_memcmp(output, parts.hash, output.count) == 0
    }

    /// Returns whether the hash has another cost: hash the password again when the user next enters it.
    public func needsRehash(cost: Cost) -> Bool {
        guard isWellFormed else { return true }
        return text.withCString { crypto_pwhash_str_needs_rehash($0, cost.operations, cost.memory) != 0 }
    }

    /// The parts of a text in the form that ``init(_:cost:)`` writes; `nil` for other forms that libsodium may read.
    private var parts: (cost: Cost, salt: [UInt8], hash: [UInt8])? {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[..<3] == ["", "argon2id", "v=19"] else { return nil }
        let costs = fields[3].split(separator: ",")
        guard costs.count == 3, costs[0].hasPrefix("m="), costs[1].hasPrefix("t="), costs[2] == "p=1",
            let kibibytes = UInt32(costs[0].dropFirst(2)), let operations = UInt32(costs[1].dropFirst(2)),
            kibibytes >= crypto_pwhash_memlimit_min() >> 10, operations >= crypto_pwhash_opslimit_min(),
            let salt = Data(base64Encoded: "\(fields[4])=="), salt.count == crypto_pwhash_saltbytes(),
            let hash = Data(base64Encoded: "\(fields[5])="), hash.count == 32
        else { return nil }
        return (Cost(operations: UInt64(operations), memory: Int(kibibytes) << 10), Array(salt), Array(hash))
    }

    /// libsodium requires a buffer of this size.
    private var isWellFormed: Bool { text.utf8.count < crypto_pwhash_strbytes() && !text.utf8.contains(0) }
}

extension PasswordHash: Codable {
    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm alone: a hash is not a secret, but it does not belong into a log either.
    public var description: String { "PasswordHash(argon2id)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
