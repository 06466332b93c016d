import CLibcurl
import HTTPTransport

/// An easy handle with the options that are the same for all requests of a transport.
///
/// A handle is reused if ``CurlLibrary/mayReuseHandles`` allows it; each request overwrites the options of the previous
/// one.
final class CurlHandle {
    /// The handle itself.
    let easy: UnsafeMutableRawPointer
    /// The buffer in which libcurl describes a failure.
    let errorText: UnsafeMutablePointer<CChar>

    /// The size of libcurl's buffer for received bytes: the longest head of an HTTP/2 response that libcurl 7.88 holds.
    ///
    /// A head that does not fit stalls, since libcurl waits for the socket before it takes the rest. The buffer exists only
    /// during a transfer, which needs up to 112 KiB more than with libcurl's default of 16 KiB; an idle handle needs none.
    private static let bufferBytes = 128 << 10

    /// Creates a handle.
    init(_ options: CurlConnectionOptions) throws(HTTPTransportError) {
        guard let easy = curl_easy_init() else {
            throw HTTPTransportError(.library, detail: "libcurl cannot create a handle: out of memory")
        }
        self.easy = easy
        errorText = .allocate(capacity: Int(PAW_CURL_ERROR_SIZE))
        errorText[0] = 0
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_ERRORBUFFER, errorText)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_BUFFERSIZE, CurlHandle.bufferBytes)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_NOSIGNAL, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_NOPROGRESS, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_FOLLOWLOCATION, 0)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_PATH_AS_IS, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_PROTOCOLS, Int(PAW_CURLPROTO_HTTP | PAW_CURLPROTO_HTTPS))
        // Without this, libcurl waits for the thread of a name lookup that has been abandoned, and a name server that does
        // not respond would block the loop's thread and so every exchange. A libcurl before 7.87 ignores it and waits.
        _ = paw_curl_set_long(easy, PAW_CURLOPT_QUICK_EXIT, 1)
        setCallbacks()
        try options.apply(to: easy)
        if options.hasPins { setNoteCallback() }
    }

    deinit {
        curl_easy_cleanup(easy)
        errorText.deallocate()
    }

    /// Sets the exchange that the callbacks call. It must outlive the transfer.
    func attach(_ exchange: CurlExchange) {
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        for option in [PAW_CURLOPT_HEADERDATA, PAW_CURLOPT_WRITEDATA, PAW_CURLOPT_READDATA, PAW_CURLOPT_SEEKDATA] {
            _ = paw_curl_set_pointer(easy, option, context)
        }
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_DEBUGDATA, context)
    }

    private static func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
        context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private func setCallbacks() {
        _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlHandle.exchange(context)?.receiveHeader(line) ?? 0
        }
        _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlHandle.exchange(context)?.receiveBody(piece) ?? 0
        }
        _ = paw_curl_set_data_callback(easy, PAW_CURLOPT_READFUNCTION) { bytes, size, count, context in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return CurlHandle.exchange(context)?.sendBody(buffer) ?? CurlSignal.abortRead
        }
        _ = paw_curl_set_seek_callback(easy) { context, offset, origin in
            guard let exchange = CurlHandle.exchange(context), origin == 0, offset == 0 else { return 2 }
            exchange.upload.rewind()
            return 0
        }
        _ = paw_curl_set_prerequest_callback(easy) { context, _, _, _, port in
            CurlHandle.exchange(context)?.mayBeSent(fromPort: port) ?? false ? 0 : 1
        }
    }

    /// Receives libcurl's informational messages, which contain the key that a server presents.
    private func setNoteCallback() {
        _ = paw_curl_set_long(easy, PAW_CURLOPT_VERBOSE, 1)
        _ = paw_curl_set_debug_callback(easy) { _, kind, bytes, count, context in
            guard kind == 0, let exchange = CurlHandle.exchange(context) else { return 0 }
            exchange.receiveNote(UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
    }

    // MARK: - The last transfer

    /// The description of the last failure; empty if libcurl wrote none.
    var errorMessage: String { String(cString: errorText) }

    /// Returns a number that describes the last transfer; 0 if unknown.
    func number(_ info: paw_curl_info) -> Int {
        var value = 0
        return paw_curl_get_long(easy, info, &value) == 0 ? value : 0
    }

    /// The socket of the last transfer's connection; nil if it is closed.
    var socket: Int32? {
        var value: Int32 = -1
        return paw_curl_get_socket(easy, PAW_CURLINFO_ACTIVESOCKET, &value) == 0 && value >= 0 ? value : nil
    }

    /// Returns a byte count, or a time in microseconds, of the last transfer; 0 if unknown.
    func offset(_ info: paw_curl_info) -> Int64 {
        var value: Int64 = 0
        return paw_curl_get_offset(easy, info, &value) == 0 ? value : 0
    }
}

/// What callbacks return instead of a count.
enum CurlSignal {
    static let pauseWrite = 0x1000_0001
    static let pauseRead = 0x1000_0001
    static let abortRead = 0x1000_0000
}
