import CurlTransport
import HTTPTransport
import LoopbackServer
import Testing

extension CurlTransport {
    /// Returns the failure of an exchange, its body included; nil if it succeeds.
    func failure(_ request: HTTPRequest, events: HTTPEventHandler? = nil) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            _ = try await send(request, events: events).body.collect()
            return nil
        } catch {
            return error
        }
    }

    /// Waits for longer than an idle timeout, by the clock of the transport: until that of a request to a silent server expires.
    func pause(longerThan idle: Duration) async throws {
        let silent = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { silent.stop() }
        var request = try HTTPRequest(.get, silent.baseURL)
        request.timeouts.idle = idle
        #expect(await failure(request)?.code == .timedOut(.idle))
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
