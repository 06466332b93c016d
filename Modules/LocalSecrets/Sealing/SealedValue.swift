#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A sealed value as the store beneath keeps it.
///
/// The bytes: the version of this form (1 byte), the key's identifier (8), a random nonce (24), the encrypted JSON of the
/// value, and an authenticator (16).
struct SealedValue: Codable, Sendable {
    static let version: UInt8 = 1
    static let tagSize = 8
    static let headerSize = 1 + tagSize + Sealing.nonceSize

    var sealed: Data

    init(sealed: [UInt8]) {
        self.sealed = Data(sealed)
    }

    /// The identifier of the key; `nil` where the bytes are too few to be a sealed value.
    var keyTag: [UInt8]? {
        guard sealed.count >= Self.headerSize + Sealing.authenticatorSize else { return nil }
        return Array(sealed.prefix(1 + Self.tagSize).dropFirst())
    }

    var version: UInt8? { sealed.first }
}
