import CSodium

extension SecretKey {
    /// The key that belongs to a passphrase, by Argon2id.
    ///
    /// Takes as long, and as much memory, as ``PassphraseParameters`` say: call it once, and not on a thread that has to
    /// answer. Another passphrase gives another key, which is told when something is read with it.
    ///
    /// - Parameters:
    ///   - passphrase: what the person types; any text, not empty.
    ///   - parameters: the salt and the cost that were chosen when the first secret was kept.
    /// - Throws: ``SecretError/keyUnsuitable(detail:)`` for an empty passphrase or parameters out of range, and
    ///   ``SecretError/noMemory``.
    public convenience init(passphrase: String, parameters: PassphraseParameters) throws(SecretError) {
        guard !passphrase.isEmpty else { throw .keyUnsuitable(detail: "the passphrase is empty") }
        try parameters.check()
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
