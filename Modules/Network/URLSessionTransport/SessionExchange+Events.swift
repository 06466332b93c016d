import Foundation
import HTTPTransport
import Threading

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The events of the session's task, on the session's queue.
extension SessionExchange {
    /// Receives the head.
    /// - Returns: whether the exchange continues.
    func receive(_ response: HTTPURLResponse) -> Bool {
        // Only on Linux, where the final response that follows is never delivered.
        guard response.statusCode >= 200 || response.statusCode == 101 else {
            let detail = "the server sent an interim response (\(response.statusCode)) first; use CurlTransport"
            finish(.failure(HTTPTransportError(.unsupported(.interimResponses), url: request.url, detail: detail)))
            return false
        }
        let fields = response.allHeaderFields.flatMap { name, value in
            // Foundation joins fields of the same name.
            let values =
                HTTPSyntax.equal("\(name)", "set-cookie") ? HTTPSyntax.setCookieFields("\(value)") : ["\(value)"]
            return values.map { HTTPHeaders.Field(name: "\(name)", value: $0) }
        }
        let head = HTTPResponseHead(
            status: response.statusCode,
            headers: HTTPHeaders(fields.sorted { $0.name < $1.name }),
            url: request.url
        )
        let (continues, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            state.lastActivity = .now
            guard state.end == nil else { return (false, nil) }
            state.head = head
            return (true, state.readyWaiter())
        }
        waiter?.resume()
        return continues
    }

    /// Receives bytes of the body, after decompression.
    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        let (waiter, received) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Int64?) in
            state.lastActivity = .now
            guard state.end == nil else { return (nil, nil) }
            state.pieces.append(data)
            state.buffered += data.count
            state.received += Int64(data.count)
            #if canImport(Darwin)
                // On Linux, a suspended task starts again from the beginning. The call is made under the lock: otherwise the
                // reader could resume the task before it is suspended, and nothing would resume it again.
                if state.buffered > SessionExchange.bufferedBytes, !state.isSuspended {
                    state.isSuspended = true
                    state.task?.suspend()
                }
            #endif
            return (state.readyWaiter(), state.received)
        }
        if let events, let received {
            let total = contentLength
            let isReported = state.withLock {
                $0.downloadGate.reports(received, of: total, at: $0.time(since: start))
            }
            if isReported { events(.downloaded(received, of: total)) }
        }
        waiter?.resume()
    }

    /// Reports the progress of the upload.
    func sent(_ count: Int64) {
        let isReported = state.withLock { state in
            state.lastActivity = .now
            state.sent = count
            return events != nil && state.uploadGate.reports(count, of: upload.length, at: state.time(since: start))
        }
        if isReported { events?(.uploaded(count, of: upload.length)) }
    }

    /// Returns the head of a response with a challenge; the session does not deliver its body.
    func refuseChallenge(_ response: HTTPURLResponse?) {
        if let response, state.withLock({ $0.head == nil }) { _ = receive(response) }
        let detail = "the server requires credentials (401); set an Authorization field, or use CurlTransport"
        finish(.failure(HTTPTransportError(.unsupported(.basicChallenge), url: request.url, detail: detail)))
    }

    /// Receives the end of the task.
    func complete(_ error: (any Error)?) {
        if let error { return finish(.failure(refined(SessionExchange.translate(error)).at(request.url))) }
        let (received, sent) = state.withLock { ($0.received, $0.sent) }
        if let length = lengthOfTruncatedBody {
            let detail = "\(received) of \(length) bytes"
            return finish(.failure(HTTPTransportError(.bodyTruncated, url: request.url, detail: detail)))
        }
        if let events {
            let (isSentBehind, isReceivedBehind) = state.withLock {
                ($0.uploadGate.isBehind(sent), $0.downloadGate.isBehind(received))
            }
            if isSentBehind { events(.uploaded(sent, of: upload.length)) }
            if isReceivedBehind { events(.downloaded(received, of: contentLength)) }
            let total = ContinuousClock.now - start
            events(.finished(HTTPMetrics(total: total, bytesSent: sent, bytesReceived: received)))
        }
        finish(.success(()))
    }

    private var contentLength: Int64? {
        state.withLock { state in
            guard let head = state.head, !head.headers.contains(.contentEncoding) else { return nil }
            return head.contentLength
        }
    }

    /// The declared length of a body of which less has been received; nil if it is complete, or encoded.
    private var lengthOfTruncatedBody: Int64? {
        guard request.method != .head, let length = contentLength else { return nil }
        return state.withLock { state in
            guard let head = state.head, head.status != 204, head.status != 304 else { return nil }
            return state.received < length ? length : nil
        }
    }

    // MARK: - Errors

    /// Refines an error by the part of the response that arrived: on Linux most failures are "unknown", and on Apple platforms
    /// a body that ends too early is a lost connection.
    private func refined(_ error: HTTPTransportError) -> HTTPTransportError {
        let head = state.withLock { $0.head }
        var error = error
        switch error.code {
        case .malformedResponse where head == nil: error.code = .noResponse
        case .library:
            guard let head else { break }
            if head.headers.contains(.contentEncoding) {
                error.code = .badContentEncoding
            } else {
                error.code = lengthOfTruncatedBody == nil ? .connectionLost : .bodyTruncated
            }
        case .connectionLost where lengthOfTruncatedBody != nil: error.code = .bodyTruncated
        default: break
        }
        return error
    }

    /// Returns the error for a session's error.
    static func translate(_ error: any Error) -> HTTPTransportError {
        guard let error = error as? URLError else { return HTTPTransportError(.library, detail: "\(error)") }
        let code = code(of: error.code)
        var detail = error.localizedDescription
        if case .certificate(let problem) = code { detail += "; " + problem.advice }
        return HTTPTransportError(code, detail: detail)
    }

    private static func code(of code: URLError.Code) -> HTTPTransportError.Code {
        switch code {
        case .badURL, .unsupportedURL: .invalidURL
        case .cannotFindHost, .dnsLookupFailed: .cannotResolveHost
        case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: .cannotConnect
        case .timedOut: .timedOut(.idle)
        case .networkConnectionLost: .connectionLost
        case .badServerResponse, .cannotParseResponse, .zeroByteResource: .malformedResponse
        case .cannotDecodeContentData, .cannotDecodeRawData: .badContentEncoding
        case .dataLengthExceedsMaximum: .bodyTooLarge
        case .requestBodyStreamExhausted: .uploadFailed
        case .serverCertificateHasBadDate: .certificate(.expired)
        case .serverCertificateNotYetValid: .certificate(.notYetValid)
        case .serverCertificateHasUnknownRoot: .certificate(.unknownAuthority)
        // A wrong host, a self-signed or a revoked certificate: URLSession distinguishes them only in the message.
        case .serverCertificateUntrusted: .certificate(.other)
        case .clientCertificateRejected, .clientCertificateRequired: .clientCertificate
        case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection: .tls
        case .cancelled: .cancelled
        default: .library
        }
    }
}
