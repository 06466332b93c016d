public import Foundation

/// A certificate authority for a test, made with `openssl` in a temporary folder.
public final class TestAuthority: Sendable {
    /// A certificate with its key, as PEM files.
    public struct Identity: Sendable {
        /// The certificate.
        public let certificate: URL
        /// The private key.
        public let key: URL
    }

    /// The path of `openssl`, or `nil` if it is not installed.
    public static let openssl = Programs.find("openssl")

    private let openssl: URL
    private let folder: TemporaryDirectory
    /// The certificate and key of the authority.
    public let root: Identity

    /// Creates an authority.
    /// - Throws: ``ToolFailure`` if `openssl` is missing or fails.
    public init(_ name: String = "PawKit test authority") throws {
        guard let openssl = TestAuthority.openssl else { throw ToolFailure(description: "openssl is not installed") }
        self.openssl = openssl
        folder = try TemporaryDirectory("authority")
        root = Identity(certificate: folder.file("root.pem"), key: folder.file("root.key"))
        try run(
            ["req", "-x509"] + TestAuthority.newKey
                + [
                    "-keyout", root.key.path, "-out", root.certificate.path, "-days", "30", "-subj", "/CN=\(name)",
                    "-addext", "basicConstraints=critical,CA:TRUE",
                ]
        )
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

    /// Returns a certificate that the authority has signed.
    /// - Parameters:
    ///   - name: the common name, and the name of the files.
    ///   - alternatives: the names and addresses of the certificate, as openssl writes them: "DNS:localhost,IP:127.0.0.1".
    ///   - days: how long it holds from now; -1 for one that has expired.
    /// - Returns: where certificate and key are, for as long as the authority lives.
    /// - Throws: ``ToolFailure`` when `openssl` fails.
    public func issue(
        _ name: String,
        for alternatives: String = "DNS:localhost,IP:127.0.0.1,IP:::1",
        days: Int = 30
    ) throws -> Identity {
        let identity = Identity(certificate: folder.file("\(name).pem"), key: folder.file("\(name).key"))
        let (request, extensions) = (folder.file("\(name).csr"), folder.file("\(name).ext"))
        try Data("subjectAltName=\(alternatives)\n".utf8).write(to: extensions)
        try run(
            ["req"] + TestAuthority.newKey
                + ["-keyout", identity.key.path, "-out", request.path, "-subj", "/CN=\(name)"]
        )
        try run([
            "x509", "-req", "-in", request.path, "-CA", root.certificate.path, "-CAkey", root.key.path,
            "-CAcreateserial", "-out", identity.certificate.path, "-days", "\(days)", "-extfile", extensions.path,
        ])
        return identity
    }

    /// A certificate signed by itself.
    public func selfSigned(_ name: String) throws -> Identity {
        let identity = Identity(certificate: folder.file("\(name).pem"), key: folder.file("\(name).key"))
        try run(
            ["req", "-x509"] + TestAuthority.newKey
                + [
                    "-keyout", identity.key.path, "-out", identity.certificate.path, "-days", "30",
                    "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                ]
        )
        return identity
    }

    /// The same identity with its key encrypted.
    public func encrypted(_ identity: Identity, passphrase: String) throws -> Identity {
        let key = identity.key.deletingPathExtension().appendingPathExtension("enc")
        try run(["pkey", "-in", identity.key.path, "-aes256", "-passout", "pass:\(passphrase)", "-out", key.path])
        return Identity(certificate: identity.certificate, key: key)
    }

    /// The base64 of the SHA-256 of an identity's public key, as `openssl` computes it.
    public func pin(of identity: Identity) throws -> String {
        let der = folder.file("key.der")
        try run(["pkey", "-in", identity.key.path, "-pubout", "-outform", "DER", "-out", der.path])
        return try run(["dgst", "-sha256", "-binary", der.path]).base64EncodedString()
    }

    @discardableResult
    private func run(_ arguments: [String]) throws -> Data { try Programs.run(openssl, arguments) }
}
