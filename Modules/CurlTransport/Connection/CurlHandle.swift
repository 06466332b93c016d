import CLibcurl
import HTTPTransport

/// An easy handle with everything set that is the same for all requests of a transport; used again where
/// ``CurlLibrary/mayReuseHandles`` allows it. What a request sets is taken back by the next one.
final class CurlHandle {
    /// The handle itself.
    let easy: UnsafeMutableRawPointer
    /// Where libcurl writes what went wrong.
    let errorText: UnsafeMutablePointer<CChar>

    /// Makes a handle.
    init(_ options: CurlConnectionOptions) throws(HTTPTransportError) {
        guard let easy = curl_easy_init() else {
            throw HTTPTransportError(.library, detail: "libcurl makes no handle: no memory")
        }
        self.easy = easy
        errorText = .allocate(capacity: Int(PAW_CURL_ERROR_SIZE))
        errorText[0] = 0
        _ = paw_curl_set_pointer(easy, PAW_CURLOPT_ERRORBUFFER, errorText)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_NOSIGNAL, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_NOPROGRESS, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_FOLLOWLOCATION, 0)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_PATH_AS_IS, 1)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_PROTOCOLS, Int(PAW_CURLPROTO_HTTP | PAW_CURLPROTO_HTTPS))
        // Or a name server that keeps silent would hold up the thread, and so every exchange, whenever a look-up is given
        // up: libcurl waits for its thread. A libcurl before 7.87 does not know this and waits.
        _ = paw_curl_set_long(easy, PAW_CURLOPT_QUICK_EXIT, 1)
        CurlExchange.setCallbacks(easy)
        try options.apply(to: easy)
    }

    deinit {
        curl_easy_cleanup(easy)
        errorText.deallocate()
    }

    /// What libcurl wrote about the last failure; empty where it wrote nothing.
    var errorMessage: String { String(cString: errorText) }

    /// A number that libcurl tells of the last transfer; 0 where it does not.
    func number(_ info: paw_curl_info) -> Int {
        var value = 0
        return paw_curl_get_long(easy, info, &value) == 0 ? value : 0
    }

    /// The socket of the last transfer's connection; nil where it is closed.
    var socket: Int32? {
        var value: Int32 = -1
        return paw_curl_get_socket(easy, PAW_CURLINFO_ACTIVESOCKET, &value) == 0 && value >= 0 ? value : nil
    }

    /// A count or a time in microseconds that libcurl tells of the last transfer; 0 where it does not.
    func offset(_ info: paw_curl_info) -> Int64 {
        var value: Int64 = 0
        return paw_curl_get_offset(easy, info, &value) == 0 ? value : 0
    }
}
