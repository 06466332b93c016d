/// A certificate by which a client shows a server who it is, with its private key.
public struct ClientCertificate: Sendable, Hashable {
    /// The certificate, with those that lead to its authority behind it.
    public var certificate: PEMSource
    /// Its private key; the same source as the certificate where both are together.
    public var key: PEMSource
    /// Opens an encrypted key.
    public var passphrase: String?

    /// Creates a client certificate.
    /// - Parameters:
    ///   - certificate: the certificate, with those that lead to its authority behind it.
    ///   - key: its private key; nil when it stands beside the certificate.
    ///   - passphrase: opens an encrypted key.
    public init(certificate: PEMSource, key: PEMSource? = nil, passphrase: String? = nil) {
        self.certificate = certificate
        self.key = key ?? certificate
        self.passphrase = passphrase
    }
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the parts are; never the passphrase.
    public var description: String {
        "certificate \(certificate), key \(key)" + (passphrase == nil ? "" : ", passphrase <redacted>")
    }

    /// Where the parts are; never the passphrase.
    public var debugDescription: String { description }

    /// Nothing but the description, so that `dump` shows no passphrase.
    public var customMirror: Mirror { Mirror(self, children: [("", description)]) }
}
