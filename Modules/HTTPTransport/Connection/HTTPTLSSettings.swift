/// Whom TLS connections trust, and as whom they present themselves.
public struct HTTPTLSSettings: Sendable, Hashable {
    /// Which authorities may have signed a server's certificate.
    public enum Trust: Sendable, Hashable {
        /// The system's.
        case system
        /// These alone, as PEM certificates: a private authority, or a server's own self-signed certificate.
        case authorities(PEMSource)
    }

    /// Which authorities are trusted.
    public var trust: Trust
    /// Presented when a server asks for one; nil presents none.
    public var clientCertificate: ClientCertificate?
    /// The server's public key must be one of these, in addition to its certificate's being trusted; empty pins none.
    ///
    /// A URL of `http`, which shows no key, is then refused with ``HTTPTransportError/Code/invalidURL``.
    /// Keep a second pin for the next key, or clients stay out when the server's key changes.
    public var pins: [PublicKeyPin]

    /// Creates settings: the system's authorities, no client certificate, no pins.
    public init(trust: Trust = .system, clientCertificate: ClientCertificate? = nil, pins: [PublicKeyPin] = []) {
        self.trust = trust
        self.clientCertificate = clientCertificate
        self.pins = pins
    }

    func validate() throws(HTTPTransportError) {
        if case .authorities(let source) = trust { try source.validate("the trusted authorities", "CERTIFICATE") }
        try clientCertificate?.certificate.validate("the client certificate", "CERTIFICATE")
        try clientCertificate?.key.validate("the client certificate's key", "PRIVATE KEY")
    }
}
