import CLibcurl
import HTTPTransport
import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What libcurl is told of a request.
extension CurlExchange {
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

    /// Whether it goes over HTTP/1.1 without TLS.
    var isPlain: Bool { !isSecure && loop.configuration.connection.version != .http2PriorKnowledge }

    /// Told before each sending; false for the second one of a request that may have been acted on. libcurl sends
    /// again by itself when a kept connection breaks without an answer.
    func mayBeSent(fromPort port: Int32) -> Bool {
        // It is not sent on a connection that is broken here, and so may be sent on the next one.
        if let port = UInt16(exactly: port), loop.keptSockets.breakUnclean(port: port) { return true }
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
}
