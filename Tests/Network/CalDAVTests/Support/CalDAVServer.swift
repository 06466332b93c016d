import CalDAV
import CurlTransport
import Foundation
import HTTPTransport
import TestSupport

extension CalDAVServer {
    func client(password: String = "secret1", transport: (any HTTPTransport)? = nil) -> CalDAVClient {
        let credential = kind == .xandikos ? .none : CalDAVAccount.Credential.basic(user: "dog", password: password)
        return CalDAVClient(CalDAVAccount(url: url, credential: credential), transport: transport ?? self.transport())
    }

    /// A transport that trusts the certificate of the server, and counts requests.
    func transport() -> CountingTransport {
        let path = folder.file("state/certs/selfsigned.crt").path
        guard kind == .xandikosWithTLS else { return CountingTransport(CurlTransport()) }
        let tls = HTTPTLSSettings(trust: .authorities(.file(path: path)))
        return CountingTransport(
            CurlTransport(configuration: CurlConfiguration(connection: HTTPConnectionSettings(tls: tls)))
        )
    }
}
