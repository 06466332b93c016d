import CurlTransport
import HTTPTransport

extension CurlTransport {
    /// How an exchange fails, its body included; nil when it succeeds.
    func failure(_ request: HTTPRequest) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            _ = try await send(request).body.collect()
            return nil
        } catch {
            return error
        }
    }
}
