import HTTPTransport
import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads an asynchronous sequence of pieces ahead of libcurl, but never by more than one piece.
final class UploadPump: Sendable {
    private struct State {
        var piece = Data()
        var offset = 0
        var isEnded = false
        var failure: String?
        /// Whether libcurl found nothing and has to be woken.
        var isStarved = false
        var room: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    init(_ stream: HTTPBodyStream, _ exchange: CurlExchange) {
        let task = Task { [self, weak exchange] in
            do {
                var made: Int64 = 0
                // The piece that makes up the length leaves when it is known that none follows: libcurl asks for nothing
                // behind the length, and a server that has it all would take a part for the whole.
                var last: Data?
                for try await piece in stream.makePieces() where !piece.isEmpty {
                    made += Int64(piece.count)
                    if let length = stream.length, made >= length {
                        guard made == length else { throw Excess(length: length) }
                        last = piece
                    } else {
                        guard await put(piece, exchange) else { return }
                    }
                }
                if let last, await !put(last, exchange) { return }
                await waitForRoom()
                change(exchange) { $0.isEnded = true }
            } catch {
                let why = (error as? Excess)?.description ?? "making the body failed: \(error)"
                change(exchange) { $0.failure = why }
            }
        }
        state.withLock { $0.task = task }
    }

    /// A body of more bytes than were declared.
    struct Excess: Error, CustomStringConvertible {
        let length: Int64
        var description: String { "the body is longer than its \(length) bytes" }
    }

    /// Hands a piece over once the one before it is gone; false when nobody wants it any more.
    private func put(_ piece: Data, _ exchange: CurlExchange?) async -> Bool {
        await waitForRoom()
        guard !Task.isCancelled else { return false }
        change(exchange) { state in
            state.piece = piece
            state.offset = 0
        }
        return true
    }

    private func waitForRoom() async {
        await withCheckedContinuation { room in
            let isFree = state.withLock { state in
                if state.offset >= state.piece.count || state.failure != nil { return true }
                state.room = room
                return false
            }
            if isFree { room.resume() }
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

    /// Fills `room` from the piece at hand.
    func read(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        let address = UInt(bitPattern: room.baseAddress)
        let size = room.count
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
            defer { state.room = nil }
            return (.bytes(count), state.room)
        }
        waiter?.resume()
        return reading
    }

    /// Ends the reading of the sequence.
    func stop() {
        let (task, room) = state.withLock { state in
            defer {
                state.room = nil
                state.failure = state.failure ?? "stopped"
            }
            return (state.task, state.room)
        }
        task?.cancel()
        room?.resume()
    }
}
