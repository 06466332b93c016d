import CurlTransport
import Foundation
import HTTPTransport
import TestSupport
import Testing
import TransportConformance

private let tools = TestAuthority.openssl != nil && Nginx.program != nil

@Suite(
    "CurlTransport: TLS",
    .enabled(if: tools, "needs openssl and nginx (Debian: openssl, nginx-light)"),
    .timeLimit(.minutes(5))
)
struct TLSTests {
    private static let hello = "location / { return 200 \"$server_protocol $ssl_client_s_dn\"; }"

    private func transport(
        _ trust: HTTPTLSSettings.Trust = .system,
        client: HTTPTLSSettings.ClientCertificate? = nil,
        pins: [HTTPTLSSettings.PublicKeyPin] = [],
        version: HTTPConnectionSettings.VersionPolicy = .automatic,
        minimum: HTTPTLSSettings.Version? = nil
    ) -> CurlTransport {
        let tls = HTTPTLSSettings(trust: trust, clientCertificate: client, pins: pins, minimumVersion: minimum)
        let connection = HTTPConnectionSettings(version: version, tls: tls, proxy: .none)
        return CurlTransport(configuration: CurlConfiguration(connection: connection))
    }

    @Test("An authority from a file or from memory is trusted, and so is a self-signed certificate")
    func trusts() async throws {
        let authority = try TestAuthority()
        let (issued, selfSigned) = try (authority.issue("localhost"), authority.selfSigned("localhost2"))
        let nginx = try Nginx([
            Nginx.Site(issued, locations: TLSTests.hello), Nginx.Site(selfSigned, locations: TLSTests.hello),
        ])
        let root = authority.root.certificate
        for trust in [HTTPTLSSettings.PEMSource.file(path: root.path), .bytes(try Data(contentsOf: root))] {
            #expect(
                try await get("https://127.0.0.1:\(nginx.ports[0])/", transport(.authorities(trust))) == "200 HTTP/1.1 "
            )
        }
        let own = HTTPTLSSettings.PEMSource.file(path: selfSigned.certificate.path)
        #expect(try await get("https://127.0.0.1:\(nginx.ports[1])/", transport(.authorities(own))) == "200 HTTP/1.1 ")
        #expect(
            await failure("https://127.0.0.1:\(nginx.ports[0])/", transport(.authorities(own)))?.code
                == .certificate(.unknownAuthority)
        )
    }

    @Test("Expired, self-signed, unknown and wrong-host certificates are distinguished, with advice")
    func refuses() async throws {
        let authority = try TestAuthority()
        let nginx = try Nginx([
            Nginx.Site(try authority.issue("expired", days: -1), locations: TLSTests.hello),
            Nginx.Site(try authority.selfSigned("self"), locations: TLSTests.hello),
            Nginx.Site(try authority.issue("unknown"), locations: TLSTests.hello),
            Nginx.Site(try authority.issue("other", for: "DNS:other.example"), locations: TLSTests.hello),
        ])
        let trusting = transport(authority.trust)
        let cases: [(UInt16, CurlTransport, HTTPTransportError.CertificateProblem)] = [
            (nginx.ports[0], trusting, .expired), (nginx.ports[1], trusting, .selfSigned),
            (nginx.ports[2], transport(), .unknownAuthority), (nginx.ports[3], trusting, .wrongHost),
        ]
        for (port, transport, problem) in cases {
            let error = try #require(await failure("https://localhost:\(port)/secret?token=1", transport))
            #expect(error.code == .certificate(problem))
            #expect(error.detail.hasSuffix(problem.advice))
            #expect(error.description.contains("https://localhost:\(port)/secret"))
            #expect(!error.description.contains("token"))
        }
    }

    @Test(
        "A pinned key is accepted, also as the second of several; another is rejected with its pin before anything is sent"
    )
    func pins() async throws {
        let authority = try TestAuthority()
        let identity = try authority.issue("localhost")
        let nginx = try Nginx([Nginx.Site(identity, http2: true, locations: TLSTests.hello)])
        let url = "https://localhost:\(nginx.ports[0])/"
        let right = try HTTPTLSSettings.PublicKeyPin("sha256/" + authority.pin(of: identity))
        let wrong = try HTTPTLSSettings.PublicKeyPin(Data(repeating: 7, count: 32).base64EncodedString())
        #expect(try await get(url, transport(authority.trust, pins: [right])) == "200 HTTP/2.0 ")
        #expect(try await get(url, transport(authority.trust, pins: [wrong, right])) == "200 HTTP/2.0 ")
        let error = try #require(await failure(url, transport(authority.trust, pins: [wrong])))
        #expect(error.code == .pinMismatch(expected: [wrong], presented: right))
        #expect(error.description.contains(right.description) && error.description.contains(wrong.description))
        // A pin does not replace trust.
        #expect(await failure(url, transport(pins: [right]))?.code == .certificate(.unknownAuthority))
    }

    @Test("A client certificate is presented from files or memory, with its passphrase; without one the server refuses")
    func presentsCertificate() async throws {
        let authority = try TestAuthority()
        let site = Nginx.Site(
            try authority.issue("localhost"),
            http2: true,
            clientAuthority: authority.root.certificate,
            locations: TLSTests.hello
        )
        let nginx = try Nginx([site])
        let url = "https://localhost:\(nginx.ports[0])/"
        let client = try authority.issue("client")
        let locked = try authority.encrypted(client, passphrase: "멍멍 bone")
        func certificate(_ source: (URL) throws -> HTTPTLSSettings.PEMSource, _ passphrase: String?) throws
            -> HTTPTLSSettings.ClientCertificate
        {
            let key = passphrase == nil ? client.key : locked.key
            return HTTPTLSSettings.ClientCertificate(
                certificate: try source(client.certificate),
                key: try source(key),
                passphrase: passphrase
            )
        }
        for source: (URL) throws -> HTTPTLSSettings.PEMSource in [
            { .file(path: $0.path) }, { .bytes(try Data(contentsOf: $0)) },
        ] {
            for passphrase in [nil, "멍멍 bone"] {
                let transport = transport(authority.trust, client: try certificate(source, passphrase))
                #expect(try await get(url, transport) == "200 HTTP/2.0 CN=client")
            }
            let wrong = transport(authority.trust, client: try certificate(source, "meow"))
            #expect(await failure(url, wrong)?.code == .clientCertificate)
        }
        #expect(try await get(url, transport(authority.trust)).hasPrefix("400 "))
        let other = HTTPTLSSettings.ClientCertificate(
            certificate: .file(path: client.certificate.path),
            key: .file(path: authority.root.key.path)
        )
        #expect(await failure(url, transport(authority.trust, client: other))?.code == .clientCertificate)
    }

    @Test(
        "A client certificate that the server's TLS library does not accept is reported as such, in each version of TLS",
        arguments: ["-tls1_2", "-tls1_3"]
    )
    func refusedCertificate(version: String) async throws {
        let (authority, other) = try (TestAuthority(), TestAuthority("another authority"))
        let server = try AlertingServer(authority, version)
        func client(_ identity: TestAuthority.Identity) -> CurlTransport {
            let (certificate, key) = (identity.certificate.path, identity.key.path)
            let client = HTTPTLSSettings.ClientCertificate(certificate: .file(path: certificate), key: .file(path: key))
            return transport(authority.trust, client: client)
        }
        #expect(await failure(server.url, client(try authority.issue("client"))) == nil)
        for refused in [try authority.issue("expired", days: -1), try other.issue("stranger")] {
            let error = try #require(await failure(server.url, client(refused)))
            #expect(error.code == .clientCertificate && error.detail.contains("valid client certificate"), "\(error)")
        }
    }

    @Test("Settings with a missing file, invalid PEM or an invalid pin are rejected before a connection is made")
    func refusesSettings() async throws {
        let folder = try TemporaryDirectory("tls")
        let empty = try folder.write("nothing", to: "empty.pem").path
        for trust in [
            HTTPTLSSettings.PEMSource.file(path: folder.file("missing.pem").path), .file(path: empty), .text("x"),
        ] {
            let error = try #require(await failure("https://127.0.0.1:1/", transport(.authorities(trust))))
            #expect(error.code == .invalidSettings)
        }
        #expect(throws: HTTPTransportError.self) { try HTTPTLSSettings.PublicKeyPin("sha256/short") }
        let secret = HTTPTLSSettings.ClientCertificate(certificate: .text("KEY"), passphrase: "open sesame")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("sesame"))
    }

    @Test("A server that supports only versions of TLS before the minimum is refused")
    func minimumVersion() async throws {
        let authority = try TestAuthority()
        let identity = try authority.issue("localhost")
        let sites = ["TLSv1.2", "TLSv1.3"].map {
            Nginx.Site(identity, locations: "ssl_protocols \($0); location / { return 200 \"$ssl_protocol\"; }")
        }
        let nginx = try Nginx(sites)
        for minimum in [nil, HTTPTLSSettings.Version.tls12, .tls13] {
            let transport = transport(authority.trust, minimum: minimum)
            #expect(try await get("https://localhost:\(nginx.ports[1])/", transport) == "200 TLSv1.3")
            let older = "https://localhost:\(nginx.ports[0])/"
            if minimum == .tls13 {
                #expect(await failure(older, transport)?.code == .tls)
            } else {
                #expect(try await get(older, transport) == "200 TLSv1.2")
            }
        }
    }

    @Test("The metrics contain TLS, reuse and the protocol")
    func measures() async throws {
        let authority = try TestAuthority()
        let nginx = try Nginx([Nginx.Site(try authority.issue("localhost"), http2: true, locations: TLSTests.hello)])
        let url = "https://localhost:\(nginx.ports[0])/"
        for version in [HTTPConnectionSettings.VersionPolicy.automatic, .http1] {
            let transport = transport(authority.trust, version: version)
            let first = try await metrics(url, transport)
            #expect(first.isConnectionReused == false)
            #expect(try #require(first.secured) >= #require(first.connect))
            #expect(first.protocolVersion == (version == .http1 ? "HTTP/1.1" : "HTTP/2"))
            let second = try await metrics(url, transport)
            #expect(second.isConnectionReused == true && second.secured == nil && second.connect == nil)
        }
    }

    private func metrics(_ url: String, _ transport: CurlTransport) async throws -> HTTPMetrics {
        let log = EventLog()
        _ = try await transport.send(HTTPRequest(.get, url), events: log.take).body.collect()
        try await eventually { log.metrics != nil }
        return try #require(log.metrics)
    }
}

/// A server that requires a client certificate and refuses others by an alert of TLS: `openssl s_server`.
private final class AlertingServer {
    let url: String
    private let process = Process()

    init(_ authority: TestAuthority, _ version: String) throws {
        let identity = try authority.issue("localhost")
        let output = Pipe()
        process.executableURL = TestAuthority.openssl
        process.arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-www", version, "-Verify", "1", "-verify_return_error",
            "-CAfile", authority.root.certificate.path, "-cert", identity.certificate.path, "-key", identity.key.path,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("ACCEPT") || text.last != "\n" {
            let piece = output.fileHandleForReading.availableData
            try #require(!piece.isEmpty, "openssl s_server does not start")
            text += String(decoding: piece, as: UTF8.self)
        }
        url = "https://localhost:\((text.split(separator: ":").last ?? "").filter(\.isNumber))/"
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
