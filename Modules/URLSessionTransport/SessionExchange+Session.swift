import Foundation
import HTTPTransport
import Locking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The side of the session's queue.
extension SessionExchange {
    /// Takes the head; false when nobody wants the answer any more.
    func receive(_ response: HTTPURLResponse) -> Bool {
        // On Linux alone: the real answer that follows never comes.
        guard response.statusCode >= 200 || response.statusCode == 101 else {
            let detail = "the server sent an interim answer (\(response.statusCode)) first; use CurlTransport"
            finish(.failure(HTTPTransportError(.unsupported(.interimResponses), url: request.url, detail: detail)))
            return false
        }
        let fields = response.allHeaderFields.map { name, value in
            HTTPHeaders.Field(name: "\(name)", value: "\(value)")
        }
        let head = HTTPResponseHead(
            status: response.statusCode,
            headers: HTTPHeaders(fields.sorted { $0.name < $1.name }),
            url: request.url
        )
        let (isWanted, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            state.lastActivity = .now
            guard state.end == nil else { return (false, nil) }
            state.head = head
            return (true, state.readyWaiter())
        }
        waiter?.resume()
        return isWanted
    }

    /// Takes bytes of the body, unpacked already.
    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        let (waiter, suspended, received) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, URLSessionTask?, Int64?) in
            state.lastActivity = .now
            guard state.end == nil else { return (nil, nil, nil) }
            state.pieces.append(data)
            state.buffered += data.count
            state.received += Int64(data.count)
            var suspended: URLSessionTask?
            #if canImport(Darwin)
                // On Linux a suspended task begins again from the start.
                if state.buffered > SessionExchange.highWater, !state.isSuspended {
                    state.isSuspended = true
                    suspended = state.task
                }
            #endif
            return (state.readyWaiter(), suspended, state.received)
        }
        suspended?.suspend()
        if let events, let received {
            let total = contentLength
            let isTold = state.withLock { $0.downloadGate.reports(received, of: total, at: $0.time(since: started)) }
            if isTold { events(.downloaded(received, of: total)) }
        }
        waiter?.resume()
    }

    var contentLength: Int64? {
        state.withLock { state in
            guard let head = state.head, !head.headers.contains("Content-Encoding") else { return nil }
            return head.contentLength
        }
    }

    /// Notes progress of the upload.
    func sent(_ count: Int64) {
        let isTold = state.withLock { state in
            state.lastActivity = .now
            state.sent = count
            return events != nil && state.uploadGate.reports(count, of: upload.length, at: state.time(since: started))
        }
        if isTold { events?(.uploaded(count, of: upload.length)) }
    }

    /// Gives the head of an answer with a challenge, whose body cannot be had from the session.
    func refuseChallenge(_ response: HTTPURLResponse?) {
        if let response, state.withLock({ $0.head == nil }) { _ = receive(response) }
        let detail = "the server answered 401 and asks for credentials; send an Authorization header"
        finish(.failure(HTTPTransportError(.unsupported(.basicChallenge), url: request.url, detail: detail)))
    }
}
