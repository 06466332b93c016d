import CSodium

/// How a passphrase becomes a key: the salt and the cost of Argon2id. No secret; kept beside what the key seals.
public struct PassphraseParameters: Codable, Hashable, Sendable {
    /// How hard it is to try passphrases, and how long the right one takes; libsodium's own steps.
    public enum Strength: Hashable, Sendable, CaseIterable {
        /// 64 MiB, about a tenth of a second.
        case interactive
        /// 256 MiB, most of a second.
        case moderate
        /// 1 GiB, some seconds.
        case sensitive
    }

    /// 16 random bytes, so that equal passphrases give different keys.
    public let salt: [UInt8]
    /// How often the memory is gone through.
    public let operations: UInt64
    /// The memory, in bytes.
    public let memory: Int

    /// New parameters, with a random salt.
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

    /// The least that the algorithm takes: for tests, which need no strength.
    package static var weakest: PassphraseParameters {
        PassphraseParameters(crypto_pwhash_opslimit_min(), crypto_pwhash_memlimit_min())
    }

    private init(_ operations: Int, _ memory: Int) {
        var salt = [UInt8](repeating: 0, count: crypto_pwhash_saltbytes())
        _ = sodium_init()
        randombytes_buf(&salt, salt.count)
        (self.salt, self.operations, self.memory) = (salt, UInt64(operations), memory)
    }

    /// Throws for what no strength of ours has asked for: it was changed, and could ask for all the memory there is.
    func check() throws(SecretError) {
        guard salt.count == crypto_pwhash_saltbytes(),
            (UInt64(crypto_pwhash_opslimit_min())...UInt64(crypto_pwhash_opslimit_sensitive())).contains(operations),
            (crypto_pwhash_memlimit_min()...crypto_pwhash_memlimit_sensitive()).contains(memory)
        else { throw .keyUnsuitable(detail: "its parameters are out of range") }
    }
}
