#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An answer on its way to becoming a response, with what an error about it needs.
struct PendingExchange: Sendable {
    let target: String
    let request: RedactedRequest
    let response: HTTPResponse
    let redaction: Redaction

    var head: HTTPResponseHead { response.head }

    /// The whole body.
    func gather(upTo limit: Int) async throws(NetworkError) -> Data {
        do throws(HTTPTransportError) {
            return try await response.body.collect(upTo: limit)
        } catch {
            // Any other bound was passed on the way here: the target's limits, which the error names.
            if error.bound == .reader { throw self.error(.bodyTooLarge(limit: limit)) }
            throw wrap(error)
        }
    }

    func error(_ reason: NetworkError.Reason, _ body: Data = Data()) -> NetworkError {
        let excerpt = redaction.redacted(body: Data(body.prefix(4_096)), contentType: head.headers["Content-Type"])
        return NetworkError(
            reason,
            target: target,
            request: request,
            response: ResponseExcerpt(head: redaction.redacted(head), body: excerpt)
        )
    }

    func wrap(_ error: any Error) -> NetworkError {
        var wrapped = NetworkError.wrapping(error, target: target, request: request)
        if wrapped.response == nil { wrapped.response = ResponseExcerpt(head: redaction.redacted(head)) }
        return wrapped
    }
}
