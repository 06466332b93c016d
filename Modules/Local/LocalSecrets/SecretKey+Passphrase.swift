import CSodium
import TextEscaping

/// The parameters that make a key from a passphrase: the salt and the cost of Argon2id. They are not secret; store them
/// beside what the key seals.
public struct PassphraseParameters: Codable, Hashable, Sendable {
    /// The cost of deriving a key, and so of guessing a passphrase; libsodium's presets.
    public enum Strength: Hashable, Sendable, CaseIterable {
        /// 64 MiB, about a tenth of a second.
        case interactive
        /// 256 MiB, most of a second.
        case moderate
        /// 1 GiB, some seconds.
        case sensitive
    }

    /// 16 random bytes, so that equal passphrases have different keys.
    public let salt: [UInt8]
    /// The number of passes over the memory.
    public let operations: UInt64
    /// The memory in bytes.
    public let memory: Int
    /// Whether passphrases are normalised (Unicode NFC) first, so that canonically equivalent ones have the same key.
    /// Parameters of earlier versions have false: their keys are made from the bytes as they are typed.
    public let isNormalizing: Bool

    private enum CodingKeys: String, CodingKey {
        case salt, operations, memory, isNormalizing
    }

    /// Creates parameters with a random salt.
    public init(_ strength: Strength = .moderate) {
        switch strength {
        case .interactive:
            self.init(crypto_pwhash_opslimit_interactive(), crypto_pwhash_memlimit_interactive())
        case .moderate:
            self.init(crypto_pwhash_opslimit_moderate(), crypto_pwhash_memlimit_moderate())
        case .sensitive:
            self.init(crypto_pwhash_opslimit_sensitive(), crypto_pwhash_memlimit_sensitive())
        }
    }

    /// Decodes parameters, also those of earlier versions.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        salt = try container.decode([UInt8].self, forKey: .salt)
        operations = try container.decode(UInt64.self, forKey: .operations)
        memory = try container.decode(Int.self, forKey: .memory)
        isNormalizing = try container.decodeIfPresent(Bool.self, forKey: .isNormalizing) ?? false
    }

    /// The lowest cost that the algorithm supports: for tests.
    package static var weakest: PassphraseParameters {
        PassphraseParameters(crypto_pwhash_opslimit_min(), crypto_pwhash_memlimit_min())
    }

    private init(_ operations: Int, _ memory: Int) {
        var salt = [UInt8](repeating: 0, count: crypto_pwhash_saltbytes())
        _ = sodium_init()
        randombytes_buf(&salt, salt.count)
        (self.salt, self.operations, self.memory, isNormalizing) = (salt, UInt64(operations), memory, true)
    }

    /// Throws for parameters outside the range of the strengths: they were changed, and could request all memory.
    func check() throws(SecretError) {
        guard salt.count == crypto_pwhash_saltbytes(),
            (UInt64(crypto_pwhash_opslimit_min())...UInt64(crypto_pwhash_opslimit_sensitive())).contains(operations),
            (crypto_pwhash_memlimit_min()...crypto_pwhash_memlimit_sensitive()).contains(memory)
        else { throw .keyUnsuitable(detail: "its parameters are out of range") }
    }
}

extension SecretKey {
    /// Creates the key of a passphrase by Argon2id.
    ///
    /// Takes the time and memory that the ``PassphraseParameters`` specify: call it once, and not on a thread that handles
    /// events. Another passphrase has another key; reading a secret with it throws an error.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase as the user types it; any text that is not empty.
    ///   - parameters: the parameters that were created for the first secret.
    /// - Throws: ``SecretError/keyUnsuitable(detail:)`` for an empty passphrase or invalid parameters, and
    ///   ``SecretError/noMemory``.
    public convenience init(passphrase: String, parameters: PassphraseParameters) throws(SecretError) {
        guard !passphrase.isEmpty else { throw .keyUnsuitable(detail: "the passphrase is empty") }
        try parameters.check()
        let passphrase = parameters.isNormalizing ? passphrase.composed : passphrase
        try self.init { memory throws(SecretError) in
            let result = passphrase.withCString { password in
                crypto_pwhash(
                    memory,
                    UInt64(Self.byteCount),
                    password,
                    UInt64(passphrase.utf8.count),
                    parameters.salt,
                    parameters.operations,
                    parameters.memory,
                    crypto_pwhash_alg_argon2id13()
                )
            }
            guard result == 0 else { throw .noMemory }
        }
    }
}
