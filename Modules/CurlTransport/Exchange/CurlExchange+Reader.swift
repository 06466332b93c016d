import HTTPTransport
import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The side of the task that waits.
extension CurlExchange {
    /// Starts the exchange, unless it was cancelled before, and waits for the head.
    func head() async -> Result<HTTPResponseHead, HTTPTransportError> {
        let isStarting = shared.withLock { shared in
            guard shared.end == nil else { return false }
            shared.isSubmitted = true
            return true
        }
        if isStarting { loop.post(.start(self)) }
        await wait(for: .head)
        return shared.withLock { shared in
            if case .failure(let error) = shared.end {
                // A head that came before the failure is an answer; its body then fails. A cancellation is not.
                guard let head = shared.head, error.code != .cancelled else {
                    shared.isEndSeen = true
                    return .failure(error)
                }
                return .success(head)
            }
            guard let head = shared.head else {
                return .failure(HTTPTransportError(.malformedResponse, url: request.url, detail: "no head came"))
            }
            return .success(head)
        }
    }

    /// Waits for the next piece; nil at the end.
    func piece() async throws(HTTPTransportError) -> Data? {
        await waitCancellably(for: .piece)
        let (result, mustResume) = shared.withLock { shared -> (Result<Data?, HTTPTransportError>, Bool) in
            if case .failure(let error) = shared.end, shared.buffer.count == 0 || error.code == .cancelled {
                shared.isEndSeen = true
                return (.failure(error), false)
            }
            guard shared.buffer.count > 0 else {
                shared.isEndSeen = true
                return (.success(nil), false)
            }
            return (.success(shared.buffer.take()), shared.isPaused && !shared.isDetached)
        }
        if mustResume { loop.post(.resume(self)) }
        return try result.get()
    }

    /// Waits for the end and gives all bytes as a whole: they are gathered on the loop's thread, in one block.
    func collect(upTo limit: Int) async throws(HTTPTransportError) -> Data {
        let (isTooLong, mustResume) = shared.withLock { shared in
            shared.collectLimit = limit
            return (shared.buffer.count > limit, shared.isPaused && !shared.isDetached)
        }
        if isTooLong {
            cancel()
            throw HTTPTransportError.bodyTooLarge(limit: limit, url: request.url)
        }
        if mustResume { loop.post(.resume(self)) }
        await waitCancellably(for: .end)
        let result = shared.withLock { shared -> Result<Data, HTTPTransportError> in
            shared.isEndSeen = true
            if case .failure(let error) = shared.end {
                shared.buffer.drop()
                return .failure(error)
            }
            return .success(shared.buffer.take())
        }
        return try result.get()
    }

    /// Ends the exchange; whoever waits is told at once, and the socket is closed by the loop.
    func cancel() {
        let (waiter, mustPost) = shared.withLock { shared -> (CheckedContinuation<Void, Never>?, Bool) in
            guard !shared.isEndSeen else { return (nil, false) }
            if case .failure = shared.end { return (nil, false) }
            shared.end = .failure(HTTPTransportError.cancelled.at(request.url))
            shared.buffer.drop()
            defer { shared.waiter = nil }
            return (shared.waiter, shared.isSubmitted && !shared.isDetached)
        }
        waiter?.resume()
        if mustPost { loop.post(.cancel(self)) }
    }

    private func waitCancellably(for interest: Interest) async {
        if !Task.isCancelled, isReady(for: interest) { return }
        await withTaskCancellationHandler {
            await wait(for: interest)
        } onCancel: {
            cancel()
        }
    }

    private func isReady(for interest: Interest) -> Bool {
        shared.withLock { shared in
            shared.interest = interest
            return shared.end != nil || (interest == .piece && shared.buffer.count > 0)
        }
    }

    private func wait(for interest: Interest) async {
        await withCheckedContinuation { waiter in
            let ready = shared.withLock { shared in
                shared.interest = interest
                shared.waiter = waiter
                return shared.readyWaiter()
            }
            ready?.resume()
        }
    }
}
