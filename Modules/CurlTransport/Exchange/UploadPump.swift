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
                for try await piece in stream.makePieces() where !piece.isEmpty {
                    await waitForRoom()
                    guard !Task.isCancelled else { return }
                    change(exchange) { state in
                        state.piece = piece
                        state.offset = 0
                    }
                }
                await waitForRoom()
                change(exchange) { $0.isEnded = true }
            } catch {
                change(exchange) { $0.failure = "making the body failed: \(error)" }
            }
        }
        state.withLock { $0.task = task }
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
