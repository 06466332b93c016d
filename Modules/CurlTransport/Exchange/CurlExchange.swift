import HTTPTransport
import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One request and its answer, between the task that waits and the thread that runs libcurl.
///
/// What both touch is in `shared`, behind a lock; everything else belongs to the loop's thread. The end is set once and
/// only a cancellation may replace it, until the reader has seen it: so a cancellation wins every race, and the one
/// waiter, taken out of the lock by whoever wakes it, is resumed exactly once.
final class CurlExchange: @unchecked Sendable {
    /// What the waiting task wants to be woken for; the end wakes it always.
    enum Interest {
        case head
        case piece
        case end
    }

    struct Shared {
        var isSubmitted = false
        /// Whether libcurl has let go of the transfer.
        var isDetached = false
        var head: HTTPResponseHead?
        var buffer = BodyBuffer()
        var end: Result<Void, HTTPTransportError>?
        /// Whether a reader has been told the end, after which a cancellation changes nothing.
        var isEndSeen = false
        /// Whether the transfer is held back until the reader has taken what is there.
        var isPaused = false
        /// The reader's limit while the rest is gathered as a whole.
        var collectLimit: Int?
        var interest = Interest.head
        var waiter: CheckedContinuation<Void, Never>?

        /// Takes the waiter out if there is something for it.
        mutating func readyWaiter() -> CheckedContinuation<Void, Never>? {
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

    let request: HTTPRequest
    let events: HTTPEventHandler?
    let upload: CurlUpload
    let loop: CurlLoop
    let origin: String
    let shared = Locked(Shared())

    // MARK: The loop's thread only

    /// The handle that carries the exchange, while one does.
    var handle: CurlHandle?
    var fields: OpaquePointer?
    var head = HeadReader()
    /// Whether the request has been sent.
    var isSent = false
    /// Whether it must not be sent twice.
    var isSentOnce = false
    /// The key that the server presented, where pins are compared.
    var presentedKey: PublicKeyPin?
    var inflater: Inflater?
    var expectedLength: Int64?
    /// The bytes of the body, unpacked.
    var received: Int64 = 0
    /// The bytes of the body as they were sent.
    var packed: Int64 = 0
    var uploadGate = ProgressGate()
    var downloadGate = ProgressGate()
    /// What a callback found wrong; it explains the result that libcurl gives then.
    var failure: HTTPTransportError?
    /// Whether somebody may be waiting for what came in this turn of the loop.
    var isDirty = false
    /// Whether the next bytes are the client's own to give or take, which no idle timeout counts.
    var isHeldByClient = false
    /// Whether nobody wants what libcurl may still deliver while the handle is taken out.
    var isGivenUp = false
    var lastActivity: Nanoseconds
    let idleLimit: Nanoseconds
    let queueLimit: Nanoseconds?
    var deadline: Nanoseconds?

    // MARK: The queue's

    /// The line in which the exchange waits or runs, and its place there.
    var line: ExchangeLine?
    var place = 0
    /// Its place among those whose time is watched while they wait; -1 where it is not.
    var heapIndex = -1
    var queuedSince: Nanoseconds = 0

    init(request: HTTPRequest, upload: CurlUpload, events: HTTPEventHandler?, loop: CurlLoop) {
        self.request = request
        self.upload = upload
        self.events = events
        self.loop = loop
        origin = CurlExchange.origin(of: request.url.absoluteString)
        let now = MonotonicTime.now
        lastActivity = now
        idleLimit = request.timeouts.idle.nanoseconds
        queueLimit = request.timeouts.queue.map(\.nanoseconds)
        deadline = request.timeouts.total.map { now + $0.nanoseconds }
    }

    deinit { shared.withLock { $0.buffer.drop() } }

    /// Scheme, host and port: everything before the path.
    static func origin(of url: String) -> String {
        var slashes = 0
        for index in url.utf8.indices where url.utf8[index] == UInt8(ascii: "/") || url.utf8[index] == UInt8(ascii: "?")
        {
            slashes += 1
            if slashes == 3 || url.utf8[index] == UInt8(ascii: "?") { return String(url[..<index]) }
        }
        return url
    }
}
