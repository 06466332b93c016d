import Locking

/// The progress of one transfer, as a sequence that ends with it.
///
/// Make one, hand it to the call, and read it beside it:
///
/// ```swift
/// let monitor = TransferMonitor()
/// async let head = provider.download(Film(), to: path, progress: monitor)
/// for await progress in monitor { bar.fraction = progress.fraction ?? 0 }
/// try await print(head.status)
/// ```
///
/// A slow reader holds nothing up: it gets the newest progress and misses the ones between; it always gets the last one.
/// Any number of readers may look, each at its own pace. The sequence ends when the call ends, well or not; that of a
/// stream ends with its body. One monitor is for one transfer.
public final class TransferMonitor: AsyncSequence, Sendable {
    /// How far the transfer has come.
    public typealias Element = TransferProgress
    /// It never fails: the call does.
    public typealias Failure = Never

    private struct State {
        var progress = TransferProgress()
        var hasBegun = false
        var isOver = false
        var lastReader: UInt64 = 0
        var readers: [UInt64: AsyncStream<TransferProgress>.Continuation] = [:]
    }

    private let state = Locked(State())

    /// Creates a monitor of a transfer that has not begun.
    public init() {}

    deinit { finish() }

    /// How far the transfer has come by now.
    public var current: TransferProgress { state.withLock { $0.progress } }

    /// Whether the transfer has ended, well or not.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// Begins to read with what is known by now.
    public func makeAsyncIterator() -> AsyncStream<TransferProgress>.Iterator {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state -> UInt64? in
                if state.hasBegun { continuation.yield(state.progress) }
                guard !state.isOver else { return nil }
                state.lastReader += 1
                state.readers[state.lastReader] = continuation
                return state.lastReader
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.readers[number] = nil }
            }
        }.makeAsyncIterator()
    }

    /// Takes what a transport tells.
    var handler: HTTPEventHandler {
        { event in
            // Under the lock, so that no reader sees an older progress behind a newer one.
            self.state.withLock { state in
                guard !state.isOver, state.progress.take(event) else { return }
                state.hasBegun = true
                for reader in state.readers.values { reader.yield(state.progress) }
            }
        }
    }

    /// Ends every reader's sequence, behind the last progress.
    func finish() {
        let readers = state.withLock { state in
            state.isOver = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}

/// How far a transfer has come, both ways.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes that have gone one way.
    public struct Count: Sendable, Hashable {
        /// How many have gone; a retry or a redirect begins with 0 again.
        public var bytes: Int64
        /// How many there will be; nil where nobody knows.
        public var expected: Int64?

        /// Creates a count.
        public init(bytes: Int64 = 0, expected: Int64? = nil) {
            self.bytes = bytes
            self.expected = expected
        }

        /// From 0 to 1; nil where nobody knows how many bytes there will be, or there will be none.
        public var fraction: Double? {
            guard let expected, expected > 0 else { return nil }
            return min(max(Double(bytes) / Double(expected), 0), 1)
        }
    }

    /// The request's body, as far as it has been handed to the network.
    public var sent: Count
    /// The answer's body, unpacked, as far as it has arrived.
    public var received: Count

    /// Creates a progress; nothing has gone, unless told otherwise.
    public init(sent: Count = Count(), received: Count = Count()) {
        self.sent = sent
        self.received = received
    }

    /// From 0 to 1, of the way under way: the request's body until the answer's begins to arrive. Nil where nobody
    /// knows how many bytes there will be.
    public var fraction: Double? { received.bytes > 0 ? received.fraction : sent.fraction }

    /// Takes what a transport tells; false when that changes nothing.
    mutating func take(_ event: HTTPTransferEvent) -> Bool {
        let before = self
        switch event {
        case .uploaded(let bytes, let expected):
            // A body that is being sent has no answer yet: what came before was another try's.
            self = TransferProgress(sent: Count(bytes: bytes, expected: expected))
        case .downloaded(let bytes, let expected): received = Count(bytes: bytes, expected: expected)
        case .finished: break
        }
        return self != before
    }
}
