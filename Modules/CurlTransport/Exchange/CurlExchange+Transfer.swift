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
    /// Puts the request into an easy handle that holds nothing of an earlier one.
    func configure(_ easy: UnsafeMutableRawPointer, _ configuration: CurlConfiguration) {
        self.easy = easy
        let me = Unmanaged.passUnretained(self).toOpaque()
        let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(PAW_CURL_ERROR_SIZE))
        errorText[0] = 0
        self.errorText = errorText
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_ERRORBUFFER, errorText)
        _ = paw_curl_set_string(easy, PAW_CURLOPT_URL, request.url.absoluteString)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_NOSIGNAL, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_NOPROGRESS, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_FOLLOWLOCATION, 0)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_PATH_AS_IS, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_PROTOCOLS, Int(PAW_CURLPROTO_HTTP | PAW_CURLPROTO_HTTPS))
        // libcurl takes 0 for "no bound of mine", hence at least one millisecond.
        let connect = max(1, request.timeouts.connect.nanoseconds / 1_000_000)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_CONNECTTIMEOUT_MS, Int(connect))
        switch configuration.proxy {
        case .environment: break
        case .none: _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXY, "")
        case .url(let url): _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXY, url)
        }
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_HEADERDATA, me)
        _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlExchange.from(context)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_WRITEDATA, me)
        _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlExchange.from(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        if !request.method.isIdempotent, !request.headers.contains("Idempotency-Key") {
            configureSingleSending(easy, me)
        }
        configureMethod(easy, me)
        configureFields(easy, configuration)
    }

    /// Keeps libcurl from sending a request twice that may have been acted on: it does so by itself when a kept
    /// connection breaks without an answer.
    private func configureSingleSending(_ easy: UnsafeMutableRawPointer, _ me: UnsafeMutableRawPointer) {
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_PREREQDATA, me)
        let result = paw_curl_set_prerequest_callback(easy) { context, _, _, _, _ in
            CurlExchange.from(context)?.mayBeSent() ?? false ? 0 : 1
        }
        // A libcurl before 7.80 does not ask first: there only a new connection is not tried twice.
        if result != 0 { _ = paw_curl_set_long(easy, PAW_CURLOPT_FRESH_CONNECT, 1) }
    }

    /// Told before each sending; false for the second one.
    private func mayBeSent() -> Bool {
        defer { isSent = true }
        guard isSent else { return true }
        failure = HTTPTransportError(
            .noResponse,
            url: request.url,
            detail: "a kept connection broke; the \(request.method) may have been acted on and is not sent again"
        )
        return false
    }

    private func configureMethod(_ easy: UnsafeMutableRawPointer, _ me: UnsafeMutableRawPointer) {
        if request.method == .head {
            _ = paw_curl_set_long(easy, PAW_CURLOPT_NOBODY, 1)
            return
        }
        if upload.isNeeded {
            _ = paw_curl_set_long(easy, PAW_CURLOPT_UPLOAD, 1)
            _ = paw_curl_set_offset(easy, PAW_CURLOPT_INFILESIZE_LARGE, upload.length ?? -1)
            _ = paw_curl_set_pointer(easy, PAW_CURLOPT_READDATA, me)
            _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_READFUNCTION) { bytes, size, count, context in
                let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return CurlExchange.from(context)?.giveBody(room) ?? CurlSignal.readAbort
            }
            _ = paw_curl_set_pointer(easy, PAW_CURLOPT_SEEKDATA, me)
            _ = paw_curl_set_seek_callback(easy) { context, offset, origin in
                guard let exchange = CurlExchange.from(context), origin == 0, offset == 0 else { return 2 }
                return exchange.upload.rewind(exchange) ? 0 : 1
            }
        }
        if upload.isNeeded || request.method != .get {
            _ = paw_curl_set_string(easy, PAW_CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private func configureFields(_ easy: UnsafeMutableRawPointer, _ configuration: CurlConfiguration) {
        var list: OpaquePointer?
        for field in request.headers {
            // A field without a value is written with a semicolon; with a colon libcurl would leave it out.
            let line = field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value
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
        if let list { _ = paw_curl_set_pointer(easy, PAW_CURLOPT_HTTPHEADER, UnsafeRawPointer(list)) }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
        context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - The head

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        lastActivity = loop.now
        guard !isHeadDone else { return line.count }  // trailers
        headSize += line.count
        guard headSize <= request.limits.headerBytes else {
            failure = HTTPTransportError(
                .headersTooLarge,
                url: request.url,
                detail: "more than \(request.limits.headerBytes) bytes; raise the request's limit if that is right"
            )
            return 0
        }
        if headBytes.isEmpty, line.starts(with: [0x48, 0x54, 0x54, 0x50, 0x2f]) {  // HTTP/
            status = CurlExchange.status(in: line)
            headBytes.reserveCapacity(512)
            return line.count
        }
        guard line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else {
            headBytes.append(contentsOf: line)
            return line.count
        }
        guard status >= 200 || status == 101 else {
            headBytes.removeAll(keepingCapacity: true)  // an interim answer: the real one follows
            return line.count
        }
        finishHead()
        return line.count
    }

    private static func status(in line: UnsafeRawBufferPointer) -> Int {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return 0 }
        return line[(space + 1)...].prefix(3).reduce(0) { sum, byte in
            byte >= 48 && byte <= 57 ? sum * 10 + Int(byte - 48) : 0
        }
    }

    private func finishHead() {
        isHeadDone = true
        let headers = HTTPHeaders(block: headBytes)
        headBytes = []
        if request.decompresses, let encoding = headers["content-encoding"] {
            inflater = Inflater(encoding: encoding)
        }
        if inflater == nil, let easy {
            var length: Int64 = -1
            _ = paw_curl_get_offset(easy, PAW_CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
            if length >= 0 { expectedLength = length }
        }
        let head = HTTPResponseHead(status: status, headers: headers, url: request.url)
        shared.withLock { $0.head = head }
        loop.markDirty(self)
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
            if inflater == nil {
                try keep(bytes)
            } else {
                try inflater?.unpack(bytes) { piece throws(HTTPTransportError) in try keep(piece) }
            }
        } catch {
            failure = error.at(request.url)
            return 0
        }
        loop.markDirty(self)
        events?(.downloaded(received, of: expectedLength))
        return bytes.count
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) throws(HTTPTransportError) {
        received += Int64(bytes.count)
        if inflater != nil, received > request.limits.decompressedBytes {
            throw HTTPTransportError(
                .bodyTooLarge,
                detail: "the packed body unfolds to more than \(request.limits.decompressedBytes) bytes"
            )
        }
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
            if count > 0 { events?(.uploaded(upload.sent, of: upload.length)) }
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
