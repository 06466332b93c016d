import EssentialFoundation
import HTTPTransport
import Threading

/// Reads an asynchronous sequence of pieces for libcurl, at most one piece ahead.
final class UploadPump: Sendable {
    private struct State {
        var piece = Data()
        var offset = 0
        var isEnded = false
        var failure: String?
        /// Whether libcurl found no bytes and must be resumed.
        var isStarved = false
        /// The task that waits until the piece has been sent.
        var producer: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    init(_ stream: HTTPBodyStream, _ exchange: CurlExchange) {
        let task = Task { [self, weak exchange] in
            do {
                var produced: Int64 = 0
                // The piece that completes the length is sent when it is known that none follows: libcurl reads nothing
                // after the length, and a server with all bytes would take a part of the body for the whole.
                var last: Data?
                for try await piece in stream.makePieces() where !piece.isEmpty {
                    produced += Int64(piece.count)
                    if let length = stream.length, produced >= length {
                        guard produced == length else { throw Excess(length: length) }
                        last = piece
                    } else {
                        guard await send(piece, exchange) else { return }
                    }
                }
                if let last, await !send(last, exchange) { return }
                await waitUntilSent()
                change(exchange) { $0.isEnded = true }
            } catch {
                let reason = (error as? Excess)?.description ?? "the body cannot be produced: \(error)"
                change(exchange) { $0.failure = reason }
            }
        }
        state.withLock { $0.task = task }
    }

    /// A body with more bytes than declared.
    struct Excess: Error, CustomStringConvertible {
        let length: Int64
        var description: String { "the body is longer than its declared \(length) bytes" }
    }

    /// Makes a piece available when the previous one has been sent; false if the task is cancelled.
    private func send(_ piece: Data, _ exchange: CurlExchange?) async -> Bool {
        await waitUntilSent()
        guard !Task.isCancelled else { return false }
        change(exchange) { state in
            state.piece = piece
            state.offset = 0
        }
        return true
    }

    private func waitUntilSent() async {
        await withCheckedContinuation { producer in
            let isSent = state.withLock { state in
                if state.offset >= state.piece.count || state.failure != nil { return true }
                state.producer = producer
                return false
            }
            if isSent { producer.resume() }
        }
    }

    private func change(_ exchange: CurlExchange?, _ body: @Sendable (inout State) -> Void) {
        let wasStarved = state.withLock { state in
            body(&state)
            defer { state.isStarved = false }
            return state.isStarved
        }
        if wasStarved, let exchange { exchange.loop.post(.resume(exchange)) }
    }

    /// Fills a buffer from the available piece.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        let address = UInt(bitPattern: buffer.baseAddress)
        let size = buffer.count
        let (reading, waiter) = state.withLock { state -> (CurlUpload.Reading, CheckedContinuation<Void, Never>?) in
            if let failure = state.failure { return (.failed(failure), nil) }
            let left = state.piece.count - state.offset
            guard left > 0 else {
                if state.isEnded { return (.bytes(0), nil) }
                state.isStarved = true
                return (.later, nil)
            }
            let count = min(left, size)
            let target = UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: address), count: size)
            let offset = state.offset
            state.piece.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
            state.offset += count
            guard state.offset >= state.piece.count else { return (.bytes(count), nil) }
            defer { state.producer = nil }
            return (.bytes(count), state.producer)
        }
        waiter?.resume()
        return reading
    }

    /// Stops reading the sequence.
    func stop() {
        let (task, producer) = state.withLock { state in
            defer {
                state.producer = nil
                state.failure = state.failure ?? "stopped"
            }
            return (state.task, state.producer)
        }
        task?.cancel()
        producer?.resume()
    }
}
