#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The SHA-256 of a server's public key (its SubjectPublicKeyInfo in DER), by which the key is known again.
///
/// A server's pin is printed by:
/// `openssl s_client -connect HOST:443 </dev/null | openssl x509 -pubkey -noout | openssl pkey -pubin -outform DER |
/// openssl dgst -sha256 -binary | base64`
public struct PublicKeyPin: Sendable, Hashable {
    /// The 32 bytes.
    public let sha256: Data

    /// A pin of 32 bytes; nil for any other number.
    public init?(sha256: Data) {
        guard sha256.count == 32 else { return nil }
        self.sha256 = sha256
    }

    /// A pin in base64, with or without `sha256/` or `sha256//` before it.
    /// - Throws: ``HTTPTransportError/Code/invalidSettings`` when these are not the 44 characters of 32 bytes.
    public init(_ text: String) throws(HTTPTransportError) {
        var digits = text[...]
        if digits.hasPrefix("sha256/") { digits = digits.dropFirst(7) }
        if digits.hasPrefix("/"), digits.utf8.count == 45 { digits = digits.dropFirst() }
        guard let data = Data(base64Encoded: String(digits)), data.count == 32 else {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "\(text.debugDescription) is no pin; write sha256/ and the base64 of the key's SHA-256"
            )
        }
        sha256 = data
    }
}

extension PublicKeyPin: CustomStringConvertible {
    /// `sha256/` and the base64 of the 32 bytes.
    public var description: String { "sha256/" + sha256.base64EncodedString() }
}
