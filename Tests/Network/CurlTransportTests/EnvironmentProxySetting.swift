import CurlTransport
import Foundation
import HTTPTransport
import LoopbackServer

/// A server and a proxy in a process whose environment may be changed, and the way by which a request reaches the server.
final class EnvironmentProxySetting: Sendable {
    /// The server; it returns `direct`, or the requested host if the request came through the proxy.
    let server: LoopbackServer
    /// The proxy.
    let tunnel: LoopbackProxy

    /// The proxy's URL.
    var proxy: String { "http://127.0.0.1:\(tunnel.port)" }

    /// Starts both.
    init(requiring credentials: String? = nil) throws {
        server = try LoopbackServer { _ in .text("") }
        tunnel = try LoopbackProxy(requiring: credentials)
    }

    /// Sends a request while these variables, and no others about proxies, are set.
    /// - Returns: the status, and `direct` or what the proxy was asked for; of a failure its code's name.
    func ask(_ url: String, _ variables: [String: String], _ proxy: HTTPProxy = .environment) async -> String {
        let before = tunnel.targets.count
        do throws(HTTPTransportError) {
            let status = try await send(url, variables, proxy)
            return "\(status) \(tunnel.targets.dropFirst(before).last ?? "direct")"
        } catch {
            return (["\(error.code)"] + tunnel.targets.dropFirst(before)).joined(separator: " ")
        }
    }

    /// How a request fails while these variables are set; nil when it succeeds.
    func failure(_ url: String, _ variables: [String: String]) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            _ = try await send(url, variables, .environment)
            return nil
        } catch {
            return error
        }
    }

    private func send(
        _ url: String,
        _ variables: [String: String],
        _ proxy: HTTPProxy
    ) async throws(HTTPTransportError) -> Int {
        for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
            for name in [name, name.uppercased()] {
                if let value = variables[name] { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
        let connection = HTTPConnectionSettings(proxy: proxy)
        let transport = CurlTransport(configuration: CurlConfiguration(connection: connection))
        let response = try await transport.send(HTTPRequest(.get, url))
        _ = try await response.body.collect()
        return response.status
    }
}
