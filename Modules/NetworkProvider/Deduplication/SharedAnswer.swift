#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An answer that several share: its head, and its whole body or why that did not come.
struct SharedAnswer: Sendable {
    let head: HTTPResponseHead
    let body: Result<Data, HTTPTransportError>

    /// Reads an answer to its end.
    init(_ response: HTTPResponse, upTo limit: Int) async throws {
        head = response.head
        do throws(HTTPTransportError) {
            body = .success(try await response.body.collect(upTo: limit))
        } catch {
            if error.code == .cancelled { throw error }
            body = .failure(error)
        }
    }

    /// The answer for one of them.
    var response: HTTPResponse {
        switch body {
        case .success(let data): HTTPResponse(head: head, body: HTTPResponseBody(data))
        case .failure(let error): HTTPResponse(head: head, body: HTTPResponseBody(FailedBody(error)))
        }
    }
}
