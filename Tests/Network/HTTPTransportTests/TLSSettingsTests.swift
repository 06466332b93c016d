import Foundation
import Testing

@testable import HTTPTransport

@Suite("TLS settings")
struct TLSSettingsTests {
    @Test("Trust, certificate and key are each checked for their PEM section, wherever it is in the text")
    func sections() async throws {
        let (certificate, key) = ("note\n-----BEGIN CERTIFICATE-----\n", "bag\r\n-----BEGIN RSA PRIVATE KEY-----\n")
        func check(_ trust: String, _ certificate: String, _ key: String?) async throws {
            let client = HTTPTLSSettings.ClientCertificate(certificate: .text(certificate), key: key.map { .text($0) })
            try await HTTPTLSSettings(trust: .authorities(.text(trust)), clientCertificate: client).validate()
        }
        try await check(certificate, certificate, key)
        try await check(certificate, certificate + key, nil)
        for (trust, own, secret) in [(key, certificate, key), (certificate, key, key), (certificate, certificate, nil)]
        {
            let error = await #expect(throws: HTTPTransportError.self) { try await check(trust, own, secret) }
            #expect(error?.code == .invalidSettings)
        }
    }

    @Test("A pin is 32 bytes in base64, with or without its prefix, also where that begins with a slash")
    func pins() throws {
        for first in [UInt8(0), 0xFF] {
            let hash = Data([first] + (1..<32).map { UInt8($0) })
            let text = hash.base64EncodedString()
            for written in [text, "sha256/" + text, "sha256//" + text, "/" + text] {
                let pin = try HTTPTLSSettings.PublicKeyPin(written)
                #expect(pin.sha256 == hash && pin.description == "sha256/" + text)
            }
            for wrong in ["", "sha256/", "///" + text, String(text.dropLast()), text + text, "sha1/" + text] {
                #expect(throws: HTTPTransportError.self) { try HTTPTLSSettings.PublicKeyPin(wrong) }
            }
            #expect(
                (31...33).map { HTTPTLSSettings.PublicKeyPin(sha256: Data(count: $0)) != nil } == [false, true, false]
            )
        }
    }

    @Test("A description says that there is a passphrase, and not which one")
    func passphrase() {
        var certificate = HTTPTLSSettings.ClientCertificate(certificate: .file(path: "c.pem"), key: .text("key"))
        #expect("\(certificate)" == "certificate c.pem, key 3 bytes")
        certificate.passphrase = "hunter2"
        for text in ["\(certificate)", "\(String(reflecting: certificate))"] {
            #expect(text == "certificate c.pem, key 3 bytes, passphrase <redacted>")
        }
    }
}
