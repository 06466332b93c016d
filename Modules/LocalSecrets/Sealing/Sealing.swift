import CSodium

/// XChaCha20-Poly1305, by libsodium: encryption that detects every change.
///
/// Its nonce of 24 bytes is long enough to be drawn at random for each value, so that processes which write at the same
/// time need no counter in common; and it binds bytes beside the value, here the value's place.
enum Sealing {
    static let nonceSize = 24
    static let authenticatorSize = 16

    /// Seals a value.
    ///
    /// - Parameters:
    ///   - plain: the value.
    ///   - key: the key.
    ///   - place: what the value is bound to.
    /// - Returns: the bytes of a ``SealedValue``.
    static func seal(_ plain: UnsafeRawBufferPointer, _ key: SecretKey, _ place: [UInt8]) -> [UInt8] {
        var result = [SealedValue.version] + key.tag
        let start = SealedValue.headerSize
        result += [UInt8](repeating: 0, count: nonceSize + plain.count + authenticatorSize)
        let bound = result[..<(1 + SealedValue.tagSize)] + place
        result.withUnsafeMutableBufferPointer { output in
            guard let base = output.baseAddress else { return }
            let nonce = base + (start - nonceSize)
            randombytes_buf(nonce, nonceSize)
            Array(bound).withUnsafeBufferPointer { bound in
                key.withBytes { key in
                    _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                        base + start,
                        nil,
                        plain.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        UInt64(plain.count),
                        bound.baseAddress,
                        UInt64(bound.count),
                        nil,
                        nonce,
                        key
                    )
                }
            }
        }
        return result
    }

    /// Opens what ``seal(_:_:_:)`` made; `nil` where it is not that value, sealed with this key for this place.
    ///
    /// The caller overwrites the bytes with ``wipe(_:)`` when it has done with them.
    static func open(_ sealed: [UInt8], _ key: SecretKey, _ place: [UInt8]) -> [UInt8]? {
        let start = SealedValue.headerSize
        let count = sealed.count - start - authenticatorSize
        guard count >= 0 else { return nil }
        let bound = Array(sealed[..<(1 + SealedValue.tagSize)] + place)
        // Never without room: an empty array has no address.
        var plain = [UInt8](repeating: 0, count: max(count, 1))
        let result = sealed.withUnsafeBufferPointer { sealed -> Int32 in
            guard let base = sealed.baseAddress else { return -1 }
            return key.withBytes { key in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    &plain,
                    nil,
                    nil,
                    base + start,
                    UInt64(count + authenticatorSize),
                    bound,
                    UInt64(bound.count),
                    base + (start - nonceSize),
                    key
                )
            }
        }
        guard result == 0 else { return nil }
        plain.removeLast(plain.count - count)
        return plain
    }

    /// Overwrites bytes with zeros, in a way that no compiler takes away.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        sodium_memzero(base, bytes.count)
    }
}
