import CLibcurl
import EssentialFoundation
import HTTPTransport

/// One request and its response, as the loop performs it.
///
/// Tasks use only the functions under "The task's side"; they reach the loop through its inbox, and the response reaches
/// them through ``ResponseChannel``. Everything else is used in the loop's turns.
final class CurlExchange: @unchecked Sendable {
    let request: HTTPRequest
    let events: HTTPEventHandler?
    let upload: CurlUpload
    let loop: CurlLoop
    let channel: ResponseChannel
    /// Scheme, host and port.
    let origin: String
    /// Whether the connection uses HTTP/1.1 without TLS.
    let isPlain: Bool
    /// Whether the request may be sent again after it may have been processed.
    let mayBeRepeated: Bool

    // MARK: The transfer

    /// The handle while the exchange runs.
    private(set) var handle: CurlHandle?
    private var fields: OpaquePointer?
    var response: ResponseReceiver
    /// Whether the request has been sent.
    private var isSent = false
    /// Whether it was sent on a reused connection the first time.
    private var isReused = false
    /// The key that the server presented, if keys are pinned.
    private(set) var presentedKey: HTTPTLSSettings.PublicKeyPin?
    private var uploadGate = ProgressGate()
    private var downloadGate = ProgressGate()
    /// The error that a callback found; it explains the result that libcurl then reports.
    private(set) var failure: HTTPTransportError?
    /// Whether the end has been reported to the event handler.
    private var isReported = false
    /// Whether the reader may have to be resumed at the end of the loop's turn.
    var isDirty = false
    /// Whether the transfer has been ended, and bytes that libcurl still delivers are refused.
    private var isAbandoned = false

    // MARK: Timeouts

    private let startTime: Nanoseconds
    private var lastActivity: Nanoseconds
    private let idleLimit: Nanoseconds
    /// The time for a connection. libcurl measures it as well, and reports more: it is given a moment to be the first.
    private let connectLimit: Nanoseconds
    /// Whether the connection is being made, which is not idle time.
    private(set) var isConnecting = false
    /// Whether the response is paused because the reader has not taken its body.
    private(set) var isUnread = false
    /// Whether the request is paused because its body has not been produced.
    private(set) var isStarved = false
    let queueLimit: Nanoseconds?
    var deadline: Nanoseconds?

    /// The exchanges with the same origin, since this one was added to the queue.
    var group: ExchangeQueue.Origin?
    /// When the exchange was added to the queue.
    var queuedSince: Nanoseconds = 0

    init(
        request: HTTPRequest,
        upload: CurlUpload,
        events: HTTPEventHandler?,
        loop: CurlLoop,
        start: Nanoseconds = MonotonicTime.now
    ) {
        self.request = request
        self.upload = upload
        self.events = events
        self.loop = loop
        channel = ResponseChannel(url: request.url)
        origin = CurlExchange.origin(of: request.url.absoluteString)
        isPlain = !HTTPSyntax.isSecure(origin) && loop.configuration.connection.version != .http2PriorKnowledge
        mayBeRepeated = request.method.isIdempotent || request.headers.contains(.idempotencyKey)
        response = ResponseReceiver(request)
        startTime = start
        lastActivity = start
        idleLimit = request.timeouts.idle.nanoseconds
        connectLimit = request.timeouts.connect.nanoseconds + 250_000_000
        queueLimit = request.timeouts.queue.map(\.nanoseconds)
        deadline = request.timeouts.total.map { start + $0.nanoseconds }
    }

    /// Returns scheme, host and port: everything before the path.
    static func origin(of url: String) -> String {
        var slashes = 0
        let origin = url.utf8.prefix { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes < 3 && byte != UInt8(ascii: "?")
        }
        return String(Substring(origin))
    }

    // MARK: - The task's side

    /// Passes the exchange to the loop, unless it has been cancelled.
    func start() {
        if channel.submit() { loop.post(.start(self)) }
    }

    /// Has the loop continue a paused transfer.
    func requestResume() { loop.post(.resume(self)) }

    /// Cancels the exchange; the reader is resumed at once, and the loop closes the socket.
    func cancel() {
        if channel.cancel() { loop.post(.cancel(self)) }
    }

    // MARK: - Starting and ending a transfer

    /// Configures a handle for the request.
    func attach(_ handle: CurlHandle) {
        self.handle = handle
        lastActivity = loop.now
        let options = RequestOptions(exchange: self)
        (fields, isConnecting) = options.apply(to: handle)
    }

    /// Continues a paused transfer.
    /// - Returns: libcurl's result.
    func resume(_ handle: CurlHandle) -> Int32 {
        channel.resume()
        (isUnread, isStarved) = (false, false)
        lastActivity = loop.now
        // Delivers the bytes that libcurl has held back. If they are refused, it reports that now and never again.
        return curl_easy_pause(handle.easy, 0)
    }

    /// Refuses the bytes that libcurl may still deliver.
    func abandon() {
        isAbandoned = true
        // libcurl 7.88 does not free the bytes of an HTTP/2 stream that it has held back, up to 32 MiB, with the stream:
        // have them delivered, and refused, first.
        if isUnread || isStarved, let handle { curl_easy_pause(handle.easy, 0) }
    }

    /// Releases what libcurl needed, after it has released the transfer.
    func detach() {
        handle = nil
        curl_slist_free_all(fields)
        fields = nil
        response.release()
        upload.stop()
        channel.detach()
    }

    // MARK: - Timeouts

    /// Whether the transfer waits for the client, which the idle timeout does not count.
    private var waitsForClient: Bool { isUnread || isStarved }

    /// The earliest time at which a timeout may expire.
    var nextDeadline: Nanoseconds {
        let idle = waitsForClient ? Nanoseconds.max : serverDeadline
        return min(idle, deadline ?? .max)
    }

    /// Whether the host's name is being looked up. A transfer over TLS usually waits for another one's connection instead.
    func isLookingUp(_ handle: CurlHandle) -> Bool {
        isConnecting && isPlain && handle.offset(PAW_CURLINFO_NAMELOOKUP_TIME_T) == 0 && !hasAddress
    }

    /// Whether the transfer waits for the connection of another one, which it may share. libcurl itself reports a lookup that
    /// takes as long as a connection may.
    func isWaitingForConnection(_ handle: CurlHandle) -> Bool {
        isConnecting && !isPlain && handle.offset(PAW_CURLINFO_NAMELOOKUP_TIME_T) == 0
    }

    /// Whether the URL has an address instead of a name.
    private var hasAddress: Bool {
        let host = origin.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        return host.first == UInt8(ascii: "[") || host.allSatisfy { !(0x41...0x7a).contains($0) }
    }

    /// Returns the timeout that has expired, if any.
    func expired(at now: Nanoseconds) -> HTTPTransportError.Phase? {
        if let deadline, deadline <= now { return .total }
        if !waitsForClient, serverDeadline <= now { return isConnecting ? .connect : .idle }
        return nil
    }

    /// The time at which the exchange ends without further activity.
    private var serverDeadline: Nanoseconds {
        if response.mayAbandonUpload { return lastActivity + min(idleLimit, CurlExchange.unreadUploadLimit) }
        guard isConnecting else { return lastActivity + idleLimit }
        // libcurl does not limit the time in which a transfer waits for the connection of another one, which it may share: that
        // counts as well, until the server accepts or refuses that connection and this one has to make its own.
        return max(lastActivity, group?.lastAttempt ?? lastActivity) + connectLimit
    }

    /// The time for which the upload continues without progress after its response.
    private static let unreadUploadLimit: Nanoseconds = 5_000_000_000

    // MARK: - Callbacks of libcurl

    /// Called before each sending of the request. libcurl sends a request again if a reused connection breaks without a
    /// response.
    /// - Returns: false for the second sending of a request that may have been processed.
    func mayBeSent(fromPort port: Int32) -> Bool {
        isConnecting = false
        lastActivity = loop.now
        // The limit of a connection may be longer than the idle timeout, which begins here.
        loop.noteDeadline(of: self)
        // A connection that is shut down here is not used, and the request may be sent on the next one.
        if let port = UInt16(exactly: port), loop.plainConnections.shutDownIfUnclean(port: port) { return true }
        defer { isSent = true }
        if !isSent {
            isReused = handle?.number(PAW_CURLINFO_NUM_CONNECTS) == 0
            if !isReused { group?.lastAttempt = loop.now }
        }
        guard isSent, !mayBeRepeated else { return true }
        let event = isReused ? "a reused connection broke" : "the server refused the request or the connection broke"
        failure = HTTPTransportError(
            .noResponse,
            url: request.url,
            detail: "\(event); the \(request.method) may have been processed and is not sent again"
        )
        return false
    }

    /// Receives a line of the head; any other count than the line's fails the transfer.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        lastActivity = loop.now
        do throws(HTTPTransportError) {
            let complete = try response.receiveLine(
                line,
                declaredLength: { handle?.offset(PAW_CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) ?? -1 }
            )
            if let (status, headers) = complete {
                if let refusal = proxyRefusal(status) { throw refusal }
                channel.deliver(HTTPResponseHead(status: status, headers: headers, url: request.url))
                loop.markDirty(self)
                if response.mayAbandonUpload { loop.noteDeadline(of: self) }
            }
        } catch {
            failure = error.at(request.url)
            return 0
        }
        return line.count
    }

    /// Receives bytes of the body; any other count than theirs fails or pauses the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !isAbandoned else { return 0 }
        lastActivity = loop.now
        let bufferedBytes = loop.configuration.bufferedBytes
        guard !channel.pauseIfFull(bufferedBytes: bufferedBytes) else {
            isUnread = true
            return CurlSignal.pauseWrite
        }
        let expected = Int(clamping: response.expectedLength ?? 0)
        do throws(HTTPTransportError) {
            try response.receiveBody(bytes) { piece throws(HTTPTransportError) in
                try channel.deliver(piece, expected: expected, bufferedBytes: bufferedBytes)
            }
        } catch {
            failure = error.at(request.url)
            return 0
        }
        loop.markDirty(self)
        if response.mayAbandonUpload { loop.noteDeadline(of: self) }
        if let events, downloadGate.reports(response.received, of: response.expectedLength, at: loop.now) {
            events(.downloaded(response.received, of: response.expectedLength))
        }
        return bytes.count
    }

    /// Fills a buffer with the next bytes of the request's body.
    func sendBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = loop.now
        switch upload.read(into: buffer, for: self) {
        case .bytes(let count):
            isStarved = false
            if let events, count > 0, uploadGate.reports(upload.sent, of: upload.length, at: loop.now) {
                events(.uploaded(upload.sent, of: upload.length))
            }
            return count
        case .later:
            isStarved = true
            return CurlSignal.pauseRead
        case .failed(let detail):
            failure = HTTPTransportError(.uploadFailed, url: request.url, detail: detail)
            return CurlSignal.abortRead
        }
    }

    /// Searches one of libcurl's messages for the key that the server presented.
    func receiveNote(_ note: UnsafeRawBufferPointer) {
        let text = String(decoding: note, as: UTF8.self)
        guard text.contains("public key hash"), let mark = text.firstRange(of: "sha256//") else { return }
        presentedKey = try? HTTPTLSSettings.PublicKeyPin(String(text[mark.upperBound...].prefix { !$0.isWhitespace }))
    }

    // MARK: - Final events

    /// Ends an exchange that is not running.
    func end(_ outcome: Result<Void, HTTPTransportError>) {
        report(outcome)
        channel.end(outcome)
    }

    /// Reports the progress that has not been reported, and the metrics.
    func report(_ outcome: Result<Void, HTTPTransportError>) {
        guard let events, !isReported else { return }
        isReported = true
        if uploadGate.isBehind(upload.sent) { events(.uploaded(upload.sent, of: upload.length)) }
        if downloadGate.isBehind(response.received) {
            events(.downloaded(response.received, of: response.expectedLength))
        }
        let total = Duration.nanoseconds(max(0, MonotonicTime.now - startTime))
        var metrics = handle.map { HTTPMetrics($0) } ?? HTTPMetrics(total: total, bytesSent: 0, bytesReceived: 0)
        guard case .failure(let error) = outcome else { return events(.finished(metrics)) }
        // libcurl has not updated its own total, and reports a connection that could not be made as a reused one.
        metrics.total = total
        if !response.hasBegun { metrics.isConnectionReused = nil }
        events(.failed(error.at(request.url), metrics))
    }
}

extension HTTPMetrics {
    /// Creates the metrics of a handle's last transfer.
    init(_ handle: CurlHandle) {
        func time(_ info: paw_curl_info) -> Duration? {
            let microseconds = handle.offset(info)
            return microseconds > 0 ? .microseconds(microseconds) : nil
        }
        let isReused = handle.number(PAW_CURLINFO_NUM_CONNECTS) == 0
        let version: String? =
            switch handle.number(PAW_CURLINFO_HTTP_VERSION) {
            case 1: "HTTP/1.0"
            case 2: "HTTP/1.1"
            case 3: "HTTP/2"
            case 30: "HTTP/3"
            default: nil
            }
        self.init(
            nameLookup: isReused ? nil : time(PAW_CURLINFO_NAMELOOKUP_TIME_T),
            connect: isReused ? nil : time(PAW_CURLINFO_CONNECT_TIME_T),
            secured: isReused ? nil : time(PAW_CURLINFO_APPCONNECT_TIME_T),
            firstByte: time(PAW_CURLINFO_STARTTRANSFER_TIME_T),
            total: time(PAW_CURLINFO_TOTAL_TIME_T) ?? .zero,
            bytesSent: handle.offset(PAW_CURLINFO_SIZE_UPLOAD_T),
            bytesReceived: handle.offset(PAW_CURLINFO_SIZE_DOWNLOAD_T),
            isConnectionReused: isReused,
            protocolVersion: version
        )
    }
}
