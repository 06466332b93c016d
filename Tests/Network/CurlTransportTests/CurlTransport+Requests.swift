import CurlTransport
import HTTPTransport

extension CurlTransport {
    /// Returns the failure of an exchange, its body included; nil if it succeeds.
    func failure(_ request: HTTPRequest) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            _ = try await send(request).body.collect()
            return nil
        } catch {
            return error
        }
    }
}

/// Returns the status and the text of the response to a GET request.
func get(_ url: String, _ transport: CurlTransport) async throws(HTTPTransportError) -> String {
    var request = try HTTPRequest(.get, url)
    request.timeouts = HTTPTimeouts(connect: .seconds(10), idle: .seconds(10), total: .seconds(30))
    let response = try await transport.send(request)
    return "\(response.status) " + String(decoding: try await response.body.collect(), as: UTF8.self)
}

/// Returns the failure of a GET request; nil if it succeeds.
func failure(_ url: String, _ transport: CurlTransport) async -> HTTPTransportError? {
    do throws(HTTPTransportError) {
        _ = try await get(url, transport)
        return nil
    } catch {
        return error
    }
}
