import CSodium
import EssentialFoundation

/// Authenticated encryption with XChaCha20-Poly1305, by libsodium.
///
/// Its nonce of 24 bytes is long enough to be chosen at random for each value, so that processes that write at the same time
/// need no common counter. The associated data is the place of the value.
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

    /// Opens bytes of ``seal(_:_:_:)``; returns `nil` if they were changed, or sealed with another key or for another place.
    ///
    /// The caller overwrites the result with ``wipe(_:)`` after use.
    static func open(_ sealed: [UInt8], _ key: SecretKey, _ place: [UInt8]) -> [UInt8]? {
        let start = SealedValue.headerSize
        let count = sealed.count - start - authenticatorSize
        guard count >= 0 else { return nil }
        let bound = Array(sealed[..<(1 + SealedValue.tagSize)] + place)
        // An empty array has no address.
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

    /// Overwrites bytes with zeros; the compiler does not remove the call.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        sodium_memzero(base, bytes.count)
    }
}

/// A sealed value in its store.
///
/// The bytes: the version of the format (1 byte), the key's identifier (8), a random nonce (24), the encrypted JSON of the
/// value, and an authenticator (16).
struct SealedValue: Codable, Sendable {
    static let version: UInt8 = 1
    static let tagSize = 8
    static let headerSize = 1 + tagSize + Sealing.nonceSize

    var sealed: Data

    init(sealed: [UInt8]) { self.sealed = Data(sealed) }

    /// The identifier of the key, or `nil` if there are too few bytes.
    var keyTag: [UInt8]? {
        guard sealed.count >= Self.headerSize + Sealing.authenticatorSize else { return nil }
        return Array(sealed.prefix(1 + Self.tagSize).dropFirst())
    }

    /// The version of the format.
    var version: UInt8? { sealed.first }
}
