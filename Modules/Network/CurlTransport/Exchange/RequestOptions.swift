import CLibcurl
import EssentialFoundation
import HTTPTransport

/// Sets the options of one request on a handle, which overwrite those of the handle's previous request.
struct RequestOptions {
    let exchange: CurlExchange

    private static let codingsField = "Accept-Encoding: " + ContentDecoder.supported

    private var request: HTTPRequest { exchange.request }

    /// Sets the options.
    /// - Parameter handle: the handle, whose callbacks call the exchange.
    /// - Returns: the list of the header fields, which must be freed after the transfer, and whether libcurl will call
    ///   `CurlExchange.mayBeSent(fromPort:)`.
    func apply(to handle: CurlHandle) -> (fields: OpaquePointer?, hasCallback: Bool) {
        handle.errorText[0] = 0
        let easy = handle.easy
        _ = paw_curl_set_string(easy, PAW_CURLOPT_URL, request.url.absoluteString)
        // For libcurl 0 is its own default, hence at least one millisecond.
        let connect = max(1, request.timeouts.connect.nanoseconds / 1_000_000)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_CONNECTTIMEOUT_MS, Int(connect))
        handle.attach(exchange)
        // A libcurl before 7.80 has no callback before sending. There, such a request uses a new connection, since only on
        // a reused one does libcurl send again.
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        let hasCallback = paw_curl_set_pointer(easy, PAW_CURLOPT_PREREQDATA, context) == 0
        let mayReuse = (exchange.mayBeRepeated || hasCallback) && !breaksOnReuse
        _ = paw_curl_set_long(easy, PAW_CURLOPT_FRESH_CONNECT, mayReuse ? 0 : 1)
        // The second request to an origin waits until it is known whether it can share the first one's HTTP/2 connection.
        _ = paw_curl_set_long(easy, PAW_CURLOPT_PIPEWAIT, exchange.isPlain ? 0 : 1)
        applyMethod(easy)
        return (applyFields(easy), hasCallback)
    }

    /// Whether libcurl fails requests on a reused connection of this kind.
    private var breaksOnReuse: Bool {
        !CurlLibrary.reusesPriorKnowledge && !HTTPSyntax.isSecure(exchange.origin)
            && exchange.loop.configuration.connection.version == .http2PriorKnowledge
    }

    private func applyMethod(_ easy: UnsafeMutableRawPointer) {
        // Resets the previous request's method, body and "no body".
        _ = paw_curl_set_long(easy, PAW_CURLOPT_HTTPGET, 1)
        if request.method == .head {
            _ = paw_curl_set_long(easy, PAW_CURLOPT_NOBODY, 1)
        } else if exchange.upload.isNeeded {
            _ = paw_curl_set_long(easy, PAW_CURLOPT_UPLOAD, 1)
            _ = paw_curl_set_offset(easy, PAW_CURLOPT_INFILESIZE_LARGE, exchange.upload.length ?? -1)
        }
        let isCustom = request.method != .head && (exchange.upload.isNeeded || request.method != .get)
        _ = paw_curl_set_string(easy, PAW_CURLOPT_CUSTOMREQUEST, isCustom ? request.method.rawValue : nil)
    }

    private func applyFields(_ easy: UnsafeMutableRawPointer) -> OpaquePointer? {
        var list: OpaquePointer?
        for field in request.headers {
            // A field with an empty value is written with a semicolon. With a colon, libcurl would omit it, and for a value
            // of spaces its own field of that name as well.
            let value = HTTPSyntax.trimmed(field.value)
            let line = value.isEmpty ? field.name + ";" : field.name + ": " + value
            list = curl_slist_append(list, line) ?? list
        }
        if exchange.upload.isNeeded {
            list = curl_slist_append(list, "Expect:") ?? list
        } else if request.method == .post || request.method == .put || request.method == .patch {
            list = curl_slist_append(list, "Content-Length: 0") ?? list
        }
        if let agent = exchange.loop.agentField, !request.headers.contains(.userAgent) {
            list = curl_slist_append(list, agent) ?? list
        }
        // A part of a compressed body cannot be decompressed: a request with a range asks for an uncompressed body.
        if request.decompresses, !request.headers.contains(.acceptEncoding), !request.headers.contains(.range) {
            list = curl_slist_append(list, RequestOptions.codingsField) ?? list
        }
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_HTTPHEADER, list.map { UnsafeRawPointer($0) })
        return list
    }
}
