import Threading

/// The progress of one transfer, as a sequence that ends with it.
///
/// Create a monitor, pass it to the call, and read it at the same time:
///
/// ```swift
/// let monitor = TransferMonitor()
/// async let head = provider.download(Film(), to: path, progress: monitor)
/// for await progress in monitor { bar.fraction = progress.fraction ?? 0 }
/// try await print(head.status)
/// ```
///
/// A slow reader does not slow the transfer down: it receives the newest progress, and always the last one. There may
/// be any number of readers. The sequence ends when the call ends, or for a stream when its body ends. A monitor is
/// for one transfer.
public final class TransferMonitor: AsyncSequence, Sendable {
    /// The progress.
    public typealias Element = TransferProgress
    /// The sequence does not fail: the call does.
    public typealias Failure = Never

    private struct State {
        var progress = TransferProgress()
        var hasBegun = false
        var isFinished = false
        var lastReader: UInt64 = 0
        var readers: [UInt64: AsyncStream<TransferProgress>.Continuation] = [:]
    }

    private let state = Locked(State())

    /// Creates a monitor of a transfer that has not begun.
    public init() {}

    deinit { finish() }

    /// The current progress.
    public var current: TransferProgress { state.withLock { $0.progress } }

    /// Whether the transfer has ended.
    public var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Begins to read with the current progress.
    public func makeAsyncIterator() -> AsyncStream<TransferProgress>.Iterator {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state -> UInt64? in
                if state.hasBegun { continuation.yield(state.progress) }
                guard !state.isFinished else { return nil }
                state.lastReader += 1
                state.readers[state.lastReader] = continuation
                return state.lastReader
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil }
            }
        }.makeAsyncIterator()
    }

    /// The event handler for the transport.
    var handler: HTTPEventHandler {
        { event in
            // Under the lock, so that no reader receives an older progress after a newer one.
            self.state.withLock { state in
                guard !state.isFinished, state.progress.take(event) else { return }
                state.hasBegun = true
                for reader in state.readers.values { reader.yield(state.progress) }
            }
        }
    }

    /// Ends the sequence of each reader, after the last progress.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}

/// The progress of a transfer, in both directions.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes in one direction.
    public struct Count: Sendable, Hashable {
        /// The number of bytes so far; a retry or a redirect begins with 0 again.
        public var bytes: Int64
        /// The total number of bytes; nil if it is not known.
        public var expected: Int64?

        /// Creates a count.
        public init(bytes: Int64 = 0, expected: Int64? = nil) {
            self.bytes = bytes
            self.expected = expected
        }

        /// From 0 to 1; nil if the total is not known or zero.
        public var fraction: Double? {
            guard let expected, expected > 0 else { return nil }
            return min(max(Double(bytes) / Double(expected), 0), 1)
        }
    }

    /// The bytes of the request's body that were sent.
    public var sent: Count
    /// The bytes of the response's body that were received, after decompression.
    public var received: Count

    /// Creates the progress of a transfer; zero by default.
    public init(sent: Count = Count(), received: Count = Count()) {
        self.sent = sent
        self.received = received
    }

    /// From 0 to 1: the request's body until the response's body begins to arrive. Nil if the total is not known.
    public var fraction: Double? { received.bytes > 0 ? received.fraction : sent.fraction }

    /// Applies an event of the transport; false if that changes nothing.
    mutating func take(_ event: HTTPTransferEvent) -> Bool {
        let before = self
        switch event {
        case .uploaded(let bytes, let expected):
            // The bytes received so far belong to an earlier attempt.
            self = TransferProgress(sent: Count(bytes: bytes, expected: expected))
        case .downloaded(let bytes, let expected): received = Count(bytes: bytes, expected: expected)
        case .finished, .failed: break
        }
        return self != before
    }
}
