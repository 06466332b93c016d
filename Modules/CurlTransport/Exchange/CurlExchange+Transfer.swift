import CLibcurl
import HTTPTransport
import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The side of the loop's thread: what libcurl is told, and what it tells.
extension CurlExchange {
    /// Sets what is the same for every exchange: which functions libcurl calls.
    static func setCallbacks(_ easy: UnsafeMutableRawPointer) {
        _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlExchange.from(context)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlExchange.from(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_READFUNCTION) { bytes, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return CurlExchange.from(context)?.giveBody(room) ?? CurlSignal.readAbort
        }
        _ = paw_curl_set_seek_callback(easy) { context, offset, origin in
            guard let exchange = CurlExchange.from(context), origin == 0, offset == 0 else { return 2 }
            exchange.upload.rewind()
            return 0
        }
        _ = paw_curl_set_prerequest_callback(easy) { context, _, _, _, _ in
            CurlExchange.from(context)?.mayBeSent() ?? false ? 0 : 1
        }
    }

    /// Has libcurl's notes told, among them the key that a server presents.
    static func setNoteCallback(_ easy: UnsafeMutableRawPointer) {
        _ = paw_curl_set_debug_callback(easy) { _, kind, bytes, count, context in
            guard kind == 0, let exchange = CurlExchange.from(context) else { return 0 }
            exchange.takeNote(UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
    }

    /// Puts the request into a handle, and takes back what an earlier one left there.
    func configure(_ handle: CurlHandle, _ configuration: CurlConfiguration) {
        self.handle = handle
        handle.errorText[0] = 0
        let easy = handle.easy
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = paw_curl_set_string(easy, PAW_CURLOPT_URL, request.url.absoluteString)
        // libcurl takes 0 for "no bound of mine", hence at least one millisecond.
        let connect = max(1, request.timeouts.connect.nanoseconds / 1_000_000)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_CONNECTTIMEOUT_MS, Int(connect))
        for option in [PAW_CURLOPT_HEADERDATA, PAW_CURLOPT_WRITEDATA, PAW_CURLOPT_READDATA, PAW_CURLOPT_SEEKDATA] {
            _ = paw_curl_set_pointer(easy, option, me)
        }
        if !configuration.connection.tls.pins.isEmpty { _ = paw_curl_set_pointer(easy, PAW_CURLOPT_DEBUGDATA, me) }
        // A libcurl before 7.80 does not ask before it sends: there only a new connection is not tried twice.
        isSentOnce = !request.method.isIdempotent && !request.headers.contains("Idempotency-Key")
        let isAsked = paw_curl_set_pointer(easy, PAW_CURLOPT_PREREQDATA, me) == 0
        _ = paw_curl_set_long(easy, PAW_CURLOPT_FRESH_CONNECT, isSentOnce && !isAsked ? 1 : 0)
        let mayShare = isSecure || configuration.connection.version == .http2PriorKnowledge
        // The second request to an origin waits to see whether it can share the first one's HTTP/2 connection.
        _ = paw_curl_set_long(easy, PAW_CURLOPT_PIPEWAIT, mayShare ? 1 : 0)
        configureMethod(easy)
        configureFields(easy, configuration)
    }

    private var isSecure: Bool { HTTPSyntax.isSecure(origin) }

    /// Told before each sending; false for the second one of a request that may have been acted on. libcurl sends
    /// again by itself when a kept connection breaks without an answer.
    private func mayBeSent() -> Bool {
        defer { isSent = true }
        guard isSent, isSentOnce else { return true }
        failure = HTTPTransportError(
            .noResponse,
            url: request.url,
            detail: "a kept connection broke; the \(request.method) may have been acted on and is not sent again"
        )
        return false
    }

    private func configureMethod(_ easy: UnsafeMutableRawPointer) {
        // Takes back a method, a body and "no body" alike.
        _ = paw_curl_set_long(easy, PAW_CURLOPT_HTTPGET, 1)
        if request.method == .head {
            _ = paw_curl_set_long(easy, PAW_CURLOPT_NOBODY, 1)
        } else if upload.isNeeded {
            _ = paw_curl_set_long(easy, PAW_CURLOPT_UPLOAD, 1)
            _ = paw_curl_set_offset(easy, PAW_CURLOPT_INFILESIZE_LARGE, upload.length ?? -1)
        }
        let isOwn = request.method != .head && (upload.isNeeded || request.method != .get)
        _ = paw_curl_set_string(easy, PAW_CURLOPT_CUSTOMREQUEST, isOwn ? request.method.rawValue : nil)
    }

    private func configureFields(_ easy: UnsafeMutableRawPointer, _ configuration: CurlConfiguration) {
        var list: OpaquePointer?
        for field in request.headers {
            // A field without a value is written with a semicolon; with a colon libcurl would leave it out, and for one of
            // blanks alone its own field of that name as well.
            let value = HTTPSyntax.trimmed(field.value)
            let line = value.isEmpty ? field.name + ";" : field.name + ": " + value
            list = curl_slist_append(list, line) ?? list
        }
        if upload.isNeeded {
            list = curl_slist_append(list, "Expect:") ?? list
        } else if request.method == .post || request.method == .put || request.method == .patch {
            list = curl_slist_append(list, "Content-Length: 0") ?? list
        }
        if let agent = configuration.userAgent, !request.headers.contains("User-Agent") {
            list = curl_slist_append(list, "User-Agent: " + agent) ?? list
        }
        // A part of a packed body cannot be unpacked: with a range the plain one is asked for.
        if request.decompresses, !request.headers.contains("Accept-Encoding"), !request.headers.contains("Range") {
            list = curl_slist_append(list, "Accept-Encoding: gzip, deflate") ?? list
        }
        fields = list
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_HTTPHEADER, list.map { UnsafeRawPointer($0) })
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
        context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - The bodies

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = loop.now
        let isHeldBack = shared.withLock { shared in
            guard shared.collectLimit == nil, shared.end == nil,
                shared.buffer.count >= loop.configuration.bufferedBytes
            else { return false }
            shared.isPaused = true
            return true
        }
        guard !isHeldBack else {
            isHeldByClient = true
            return CurlSignal.writePause
        }
        do throws(HTTPTransportError) {
            packed += Int64(bytes.count)
            if let limit = request.limits.bodyBytes, packed > limit { throw .bodyTooLarge(.bodyBytes, limit: limit) }
            if inflater == nil {
                try keep(bytes)
            } else {
                try inflater?.unpack(bytes) { piece throws(HTTPTransportError) in
                    try checkUnfolding(piece.count)
                    try keep(piece)
                }
            }
        } catch {
            failure = error.at(request.url)
            return 0
        }
        loop.markDirty(self)
        if let events, downloadGate.tells(received, of: expectedLength, at: loop.now) {
            events(.downloaded(received, of: expectedLength))
        }
        return bytes.count
    }

    /// Refuses a bomb: too many bytes in all, or too many for what was sent.
    private func checkUnfolding(_ more: Int) throws(HTTPTransportError) {
        let unfolded = received + Int64(more)
        guard unfolded <= request.limits.decompressedBytes else {
            throw .bodyTooLarge(.decompressedBytes, limit: Int64(request.limits.decompressedBytes))
        }
        guard unfolded <= 4 << 20 || unfolded / Int64(request.limits.decompressionRatio) <= packed else {
            throw .bodyTooLarge(.decompressionRatio, limit: Int64(request.limits.decompressionRatio))
        }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) throws(HTTPTransportError) {
        received += Int64(bytes.count)
        let expected = Int(clamping: expectedLength ?? 0)
        let bufferedBytes = loop.configuration.bufferedBytes
        // Pointers do not cross into the lock's region: an address does. The bytes outlive this call.
        let (address, count) = (UInt(bitPattern: bytes.baseAddress), bytes.count)
        try shared.withLock { shared throws(HTTPTransportError) in
            guard shared.end == nil else { throw HTTPTransportError.cancelled }
            if let limit = shared.collectLimit, shared.buffer.count + count > limit || expected > limit {
                throw HTTPTransportError.bodyTooLarge(limit: limit)
            }
            let room = shared.collectLimit == nil ? min(expected, bufferedBytes) : expected
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
            guard shared.buffer.append(bytes, expected: room) else {
                throw HTTPTransportError(.bodyTooLarge, detail: "no memory for the body; stream it")
            }
        }
    }

    private func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = loop.now
        switch upload.read(into: room, for: self) {
        case .bytes(let count):
            isHeldByClient = false
            if let events, count > 0, uploadGate.tells(upload.sent, of: upload.length, at: loop.now) {
                events(.uploaded(upload.sent, of: upload.length))
            }
            return count
        case .later:
            isHeldByClient = true
            return CurlSignal.readPause
        case .failed(let detail):
            failure = HTTPTransportError(.uploadFailed, url: request.url, detail: detail)
            return CurlSignal.readAbort
        }
    }
}

/// What callbacks answer instead of a count.
private enum CurlSignal {
    static let writePause = 0x1000_0001
    static let readPause = 0x1000_0001
    static let readAbort = 0x1000_0000
}
