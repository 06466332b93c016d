import EssentialFoundation
import HTTPTransport
import Threading

/// Passes a response from the loop to the task that reads it.
///
/// The outcome is set once, and only a cancellation may replace it until the reader has received it. So a cancellation
/// wins every race. There is at most one waiting reader; whoever resumes it removes it under the lock first, so that it is
/// resumed exactly once, and that need not be checked.
final class ResponseChannel: Sendable {
    /// The event that a reader waits for. The end resumes it as well.
    private enum Interest {
        case head
        case piece
        case end
    }

    private struct State {
        /// Whether the exchange has been passed to the loop.
        var isSubmitted = false
        /// Whether libcurl has released the transfer.
        var isDetached = false
        var head: HTTPResponseHead?
        var buffer = BodyBuffer()
        var end: Result<Void, HTTPTransportError>?
        /// Whether a reader has received the end, after which a cancellation has no effect.
        var isEndReceived = false
        /// Whether the transfer is paused until the reader has taken the buffered bytes.
        var isPaused = false
        /// The reader's limit while it collects the rest of the body.
        var collectLimit: Int?
        var interest = Interest.head
        /// The reader that waits; resumed with false if there are two readers.
        var waiter: UnsafeContinuation<Bool, Never>?

        /// Removes the waiter if the event that it waits for has occurred.
        mutating func readyWaiter() -> UnsafeContinuation<Bool, Never>? {
            guard waiter != nil else { return nil }
            let isReady =
                switch interest {
                case .head: head != nil
                case .piece: buffer.count > 0
                case .end: false
                }
            guard isReady || end != nil else { return nil }
            defer { waiter = nil }
            return waiter
        }
    }

    private let url: URL
    private let state = Locked(State())

    init(url: URL) { self.url = url }

    deinit { state.withLock { $0.buffer.drop() } }

    // MARK: - The reader's side

    /// Marks the exchange as passed to the loop; false if it was cancelled before.
    func submit() -> Bool {
        state.withLock { state in
            guard state.end == nil else { return false }
            state.isSubmitted = true
            return true
        }
    }

    /// Waits for the head.
    func head() async -> Result<HTTPResponseHead, HTTPTransportError> {
        _ = await wait(for: .head)
        return state.withLock { state in
            if case .failure(let error) = state.end {
                // A head that arrived before the failure is returned, and its body then fails. A cancellation fails both.
                guard let head = state.head, error.code != .cancelled else {
                    state.isEndReceived = true
                    return .failure(error)
                }
                return .success(head)
            }
            guard let head = state.head else {
                return .failure(HTTPTransportError(.malformedResponse, url: url, detail: "the response has no head"))
            }
            return .success(head)
        }
    }

    /// Waits for the next piece; nil at the end.
    /// - Parameter onCancel: called if the task is cancelled.
    /// - Returns: the piece, and whether the transfer must be resumed.
    func piece(onCancel: @Sendable () -> Void) async -> (piece: Result<Data?, HTTPTransportError>, resumes: Bool) {
        guard await wait(for: .piece, onCancel: onCancel) else { return (.failure(twoReaders), false) }
        return state.withLock { state in
            if case .failure(let error) = state.end, state.buffer.count == 0 || error.code == .cancelled {
                state.isEndReceived = true
                return (.failure(error), false)
            }
            guard state.buffer.count > 0 else {
                state.isEndReceived = true
                return (.success(nil), false)
            }
            return (.success(state.buffer.take()), state.isPaused && !state.isDetached)
        }
    }

    /// Has the rest of the body buffered as one block, up to a limit.
    /// - Returns: whether the buffered bytes are within the limit, and whether the transfer must be resumed.
    func startCollecting(upTo limit: Int) -> (isWithinLimit: Bool, resumes: Bool) {
        state.withLock { state in
            state.collectLimit = limit
            return (state.buffer.count <= limit, state.isPaused && !state.isDetached)
        }
    }

    /// Waits for the end and returns all bytes.
    func collected(onCancel: @Sendable () -> Void) async -> Result<Data, HTTPTransportError> {
        guard await wait(for: .end, onCancel: onCancel) else { return .failure(twoReaders) }
        return state.withLock { state in
            state.isEndReceived = true
            if case .failure(let error) = state.end {
                state.buffer.drop()
                return .failure(error)
            }
            return .success(state.buffer.take())
        }
    }

    /// Ends the response with `cancelled` and resumes the reader, unless it has received the end.
    /// - Returns: whether the loop must cancel the transfer.
    func cancel() -> Bool {
        let (waiter, isRunning) = state.withLock { state -> (UnsafeContinuation<Bool, Never>?, Bool) in
            guard !state.isEndReceived else { return (nil, false) }
            if case .failure = state.end { return (nil, false) }
            state.end = .failure(HTTPTransportError.cancelled.at(url))
            state.buffer.drop()
            defer { state.waiter = nil }
            return (state.waiter, state.isSubmitted && !state.isDetached)
        }
        waiter?.resume(returning: true)
        return isRunning
    }

    private var twoReaders: HTTPTransportError {
        HTTPTransportError(
            .invalidBody,
            url: url,
            detail: "the response's body has two readers; it can be read by one only"
        )
    }

    /// Waits for an event; false if another reader waits already.
    private func wait(for interest: Interest, onCancel: @Sendable () -> Void) async -> Bool {
        if !Task.isCancelled, isReady(for: interest) { return true }
        return await withTaskCancellationHandler {
            await wait(for: interest)
        } onCancel: {
            onCancel()
        }
    }

    private func isReady(for interest: Interest) -> Bool {
        state.withLock { state in
            guard state.waiter == nil else { return false }
            state.interest = interest
            return state.end != nil || (interest == .piece && state.buffer.count > 0)
        }
    }

    private func wait(for interest: Interest) async -> Bool {
        await withUnsafeContinuation { waiter in
            let (isFirst, ready) = state.withLock { state -> (Bool, UnsafeContinuation<Bool, Never>?) in
                guard state.waiter == nil else { return (false, nil) }
                state.interest = interest
                state.waiter = waiter
                return (true, state.readyWaiter())
            }
            if isFirst { ready?.resume(returning: true) } else { waiter.resume(returning: false) }
        }
    }

    // MARK: - The loop's side

    /// Whether the outcome is known, usually because of a cancellation.
    var isEnded: Bool { state.withLock { $0.end != nil } }

    /// Stores the head; ``wakeReader()`` follows at the end of the loop's turn.
    func deliver(_ head: HTTPResponseHead) { state.withLock { $0.head = head } }

    /// Pauses the transfer if the reader has not taken as many bytes as may be buffered; returns whether it did.
    func pauseIfFull(bufferedBytes: Int) -> Bool {
        state.withLock { state in
            guard state.collectLimit == nil, state.end == nil, state.buffer.count >= bufferedBytes else { return false }
            state.isPaused = true
            return true
        }
    }

    /// Marks the transfer as resumed.
    func resume() { state.withLock { $0.isPaused = false } }

    /// Buffers bytes of the body.
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - expected: the size of the whole body; 0 if unknown.
    ///   - bufferedBytes: the number of bytes that are buffered for a reader of pieces.
    /// - Throws: an error if the exchange has been cancelled, the reader's limit is exceeded or there is no memory.
    func deliver(_ bytes: UnsafeRawBufferPointer, expected: Int, bufferedBytes: Int) throws(HTTPTransportError) {
        // A pointer cannot be captured by the lock's closure, an address can. The bytes outlive this call.
        let (address, count) = (UInt(bitPattern: bytes.baseAddress), bytes.count)
        try state.withLock { state throws(HTTPTransportError) in
            guard state.end == nil else { throw HTTPTransportError.cancelled }
            if let limit = state.collectLimit, state.buffer.count + count > limit || expected > limit {
                throw HTTPTransportError.bodyTooLarge(limit: limit)
            }
            let capacity = state.collectLimit == nil ? min(expected, bufferedBytes) : expected
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
            guard state.buffer.append(bytes, expected: capacity) else {
                throw HTTPTransportError(.bodyTooLarge, detail: "not enough memory for the body; stream it")
            }
        }
    }

    /// Resumes the reader if the event that it waits for has occurred.
    func wakeReader() {
        let waiter = state.withLock { $0.readyWaiter() }
        waiter?.resume(returning: true)
    }

    /// Sets the outcome, unless there is one; ``wakeReader()`` follows at the end of the loop's turn.
    func setEnd(_ outcome: Result<Void, HTTPTransportError>) {
        let located = outcome.mapError { $0.at(url) }
        state.withLock { if $0.end == nil { $0.end = located } }
    }

    /// Sets the outcome, unless there is one, and resumes the reader.
    func end(_ outcome: Result<Void, HTTPTransportError>) {
        setEnd(outcome)
        wakeReader()
    }

    /// Marks the transfer as released by libcurl, after which the loop is not asked to resume or cancel it.
    func detach() { state.withLock { $0.isDetached = true } }
}
