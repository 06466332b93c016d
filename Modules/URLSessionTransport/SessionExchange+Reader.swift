import Foundation
import HTTPTransport
import Locking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The side of the task that waits.
extension SessionExchange {
    /// Starts the exchange, unless it was cancelled before, and waits for the head.
    func head(_ start: () -> Void) async -> Result<HTTPResponseHead, HTTPTransportError> {
        if state.withLock({ $0.end == nil }) { start() }
        await wait(head: true)
        return state.withLock { state in
            if case .failure(let error) = state.end, state.head == nil || error.code == .cancelled {
                state.isEndSeen = true
                return .failure(error)
            }
            guard let head = state.head else {
                return .failure(HTTPTransportError(.malformedResponse, url: request.url, detail: "no head came"))
            }
            return .success(head)
        }
    }

    /// Takes the task in and starts the clock; false when the exchange has ended already.
    func attach(_ task: URLSessionTask) -> Bool {
        let timer = Task { [weak self] in
            while let next = self?.nextDeadline() {
                try? await Task.sleep(until: next, clock: .continuous)
                guard !Task.isCancelled else { return }
            }
        }
        let isWanted = state.withLock { state in
            guard state.end == nil else { return false }
            state.task = task
            state.timer = timer
            state.lastActivity = .now
            return true
        }
        if !isWanted { timer.cancel() }
        return isWanted
    }

    /// Waits for the next piece; nil at the end.
    func piece() async throws(HTTPTransportError) -> Data? {
        await withTaskCancellationHandler {
            await wait(head: false)
        } onCancel: {
            cancel()
        }
        let (result, suspended) = state.withLock { state -> (Result<Data?, HTTPTransportError>, URLSessionTask?) in
            if case .failure(let error) = state.end, state.pieces.isEmpty || error.code == .cancelled {
                state.isEndSeen = true
                return (.failure(error), nil)
            }
            guard !state.pieces.isEmpty else {
                state.isEndSeen = true
                return (.success(nil), nil)
            }
            let piece = state.pieces.removeFirst()
            state.buffered -= piece.count
            guard state.isSuspended, state.buffered == 0 else { return (.success(piece), nil) }
            state.isSuspended = false
            state.lastActivity = .now
            return (.success(piece), state.task)
        }
        suspended?.resume()
        return try result.get()
    }

    /// Ends the exchange; whoever waits is told at once.
    func cancel() { finish(.failure(HTTPTransportError.cancelled.at(request.url)), overriding: true) }

    private func wait(head: Bool) async {
        await withCheckedContinuation { waiter in
            let ready = state.withLock { state in
                state.isHeadWanted = head
                state.waiter = waiter
                return state.readyWaiter()
            }
            ready?.resume()
        }
    }
}
