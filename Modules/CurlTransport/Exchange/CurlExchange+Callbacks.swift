import CLibcurl
import HTTPTransport
import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The side of the loop's thread: which functions libcurl calls.
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
        _ = paw_curl_set_prerequest_callback(easy) { context, _, _, _, port in
            CurlExchange.from(context)?.mayBeSent(fromPort: port) ?? false ? 0 : 1
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

    static func from(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
        context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// What callbacks answer instead of a count.
enum CurlSignal {
    static let writePause = 0x1000_0001
    static let readPause = 0x1000_0001
    static let readAbort = 0x1000_0000
}
