public import EssentialFoundation
import Threading

/// The trusted authorities, the client certificate and the pinned keys of TLS connections.
public struct HTTPTLSSettings: Sendable, Hashable {
    /// The authorities that may sign a server's certificate.
    public enum Trust: Sendable, Hashable {
        /// The system's authorities.
        case system
        /// Only these, as PEM certificates: a private authority, or a server's self-signed certificate.
        case authorities(PEMSource)
    }

    /// The trusted authorities.
    public var trust: Trust
    /// The certificate that is presented when a server requests one; nil for none.
    public var clientCertificate: ClientCertificate?
    /// The pins, one of which the server's public key must match, in addition to its certificate being trusted; empty
    /// for no pinning.
    ///
    /// With pins, a request to an `http` URL fails with ``HTTPTransportError/Code/invalidURL``. Add a second pin for
    /// the next key, or clients cannot connect after the server's key changes.
    public var pins: [PublicKeyPin]
    /// The oldest version of TLS that is used; nil for the library's own minimum, which is TLS 1.2 in current ones.
    ///
    /// A server that supports older versions only fails with ``HTTPTransportError/Code/tls``.
    public var minimumVersion: Version?

    /// Creates settings; by default the system's authorities, no client certificate, no pins and the library's versions.
    public init(
        trust: Trust = .system,
        clientCertificate: ClientCertificate? = nil,
        pins: [PublicKeyPin] = [],
        minimumVersion: Version? = nil
    ) {
        self.trust = trust
        self.clientCertificate = clientCertificate
        self.pins = pins
        self.minimumVersion = minimumVersion
    }

    /// A version of TLS.
    public enum Version: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    func validate() async throws(HTTPTransportError) {
        if case .authorities(let source) = trust { try await source.validate("the trusted authorities", "CERTIFICATE") }
        try await clientCertificate?.certificate.validate("the client certificate", "CERTIFICATE")
        try await clientCertificate?.key.validate("the client certificate's key", "PRIVATE KEY")
    }
}

extension HTTPTLSSettings {
    /// A source of certificates or a key in PEM format.
    public enum PEMSource: Sendable, Hashable {
        /// The file at this path, read when connections are made.
        case file(path: String)
        /// Bytes in memory.
        case bytes(Data)

        /// Returns a source of a text in memory.
        public static func text(_ text: String) -> PEMSource { .bytes(Data(text.utf8)) }

        /// Checks that the source contains a section of a kind.
        func validate(_ what: String, _ kind: String) async throws(HTTPTransportError) {
            let data: Data
            var place = ""
            switch self {
            case .bytes(let bytes): data = bytes
            case .file(let path):
                place = " (\(path))"
                do {
                    data = try await BlockingCalls.run {
                        try RegularFile(path: path).readAll(upTo: PEMSource.maximumSize)
                    }
                } catch is CancellationError {
                    throw .cancelled
                } catch {
                    throw HTTPTransportError(
                        .invalidSettings,
                        detail: "the file of \(what), \(path), cannot be read: \(error)"
                    )
                }
            }
            let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            guard lines.contains(where: { $0.hasPrefix("-----BEGIN ") && $0.contains(kind) }) else {
                throw HTTPTransportError(
                    .invalidSettings,
                    detail: "\(what)\(place) has no PEM section \"BEGIN \(kind)\"; convert it with openssl first"
                )
            }
        }

        /// The most that is read of a file: a system's bundle of all authorities has less than a megabyte.
        private static let maximumSize = 64 << 20
    }
}

extension HTTPTLSSettings.PEMSource: CustomStringConvertible {
    /// The path, or the number of bytes in memory, which are not shown because they may be a key.
    public var description: String {
        switch self {
        case .file(let path): path
        case .bytes(let data): "\(data.count) bytes"
        }
    }
}

extension HTTPTLSSettings {
    /// A certificate that identifies a client to a server, with its private key.
    public struct ClientCertificate: Sendable, Hashable {
        /// The certificate, followed by the intermediate certificates.
        public var certificate: PEMSource
        /// The private key; the same source as the certificate if both are together.
        public var key: PEMSource
        /// The passphrase of an encrypted key.
        public var passphrase: String?

        /// Creates a client certificate.
        /// - Parameters:
        ///   - certificate: the certificate, followed by the intermediate certificates.
        ///   - key: the private key; nil if it is in the same source as the certificate.
        ///   - passphrase: the passphrase of an encrypted key.
        public init(certificate: PEMSource, key: PEMSource? = nil, passphrase: String? = nil) {
            self.certificate = certificate
            self.key = key ?? certificate
            self.passphrase = passphrase
        }
    }
}

extension HTTPTLSSettings.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The sources, without the passphrase.
    public var description: String {
        "certificate \(certificate), key \(key)" + (passphrase == nil ? "" : ", passphrase <redacted>")
    }

    /// The sources, without the passphrase.
    public var debugDescription: String { description }

    /// The description only, so that `dump` does not print the passphrase.
    public var customMirror: Mirror { Mirror(self, children: [("", description)]) }
}

extension HTTPTLSSettings {
    /// The SHA-256 digest of a server's public key (its SubjectPublicKeyInfo in DER).
    ///
    /// This command prints a server's pin:
    /// `openssl s_client -connect HOST:443 </dev/null | openssl x509 -pubkey -noout | openssl pkey -pubin -outform DER |
    /// openssl dgst -sha256 -binary | base64`
    public struct PublicKeyPin: Sendable, Hashable {
        /// The digest, 32 bytes.
        public let sha256: Data

        /// Creates a pin from 32 bytes; nil for any other number.
        public init?(sha256: Data) {
            guard sha256.count == 32 else { return nil }
            self.sha256 = sha256
        }

        /// Creates a pin from base64, with or without a prefix `sha256/` or `sha256//`.
        /// - Throws: ``HTTPTransportError/Code/invalidSettings`` unless the text is the base64 of 32 bytes.
        public init(_ text: String) throws(HTTPTransportError) {
            var digits = text[...]
            if digits.hasPrefix("sha256/") { digits = digits.dropFirst(7) }
            if digits.hasPrefix("/"), digits.utf8.count == 45 { digits = digits.dropFirst() }
            guard let data = Data(base64Encoded: String(digits)), data.count == 32 else {
                throw HTTPTransportError(
                    .invalidSettings,
                    detail: "\(text.debugDescription) is not a pin; write sha256/ and the base64 of the key's SHA-256"
                )
            }
            sha256 = data
        }
    }
}

extension HTTPTLSSettings.PublicKeyPin: CustomStringConvertible {
    /// `sha256/` followed by the base64 of the 32 bytes.
    public var description: String { "sha256/" + sha256.base64EncodedString() }
}
