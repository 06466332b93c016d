import CLibcurl
import HTTPTransport

/// The library libcurl: loading it, its version on this machine, and what depends on it.
enum CurlLibrary {
    #if canImport(Darwin)
        static let file = "/usr/lib/libcurl.4.dylib"
    #else
        static let file = "libcurl.so.4"
    #endif

    /// Loads libcurl, once for the process, and initialises it, which must be done before any other call.
    private static let loading = Result { () throws(HTTPTransportError) in
        try load(file)
        let code = curl_global_init(3)
        guard code == 0 else {
            throw HTTPTransportError(.library, detail: "libcurl cannot be initialised: code \(code)")
        }
    }

    /// The version, 0xXXYYZZ; 0 if unknown.
    private static let version: UInt32 = {
        guard case .success = loading else { return 0 }
        return curl_version_info(0).map { $0.pointee.number } ?? 0
    }()

    /// The oldest supported version, which Ubuntu 20.04 has.
    static let oldest: UInt32 = 0x07_44_00

    /// Loads and initialises the library, which takes some milliseconds the first time.
    /// - Throws: `HTTPTransportError` with `HTTPTransportError/Code/library` if it is missing, is too old or cannot be
    ///   initialised.
    static func start() throws(HTTPTransportError) {
        try loading.get()
        guard let version = curl_version_info(0) else {
            throw HTTPTransportError(.library, detail: "libcurl does not report its version")
        }
        try check(number: version.pointee.number, name: String(cString: version.pointee.version))
    }

    /// Loads the functions of libcurl from a library.
    /// - Throws: `HTTPTransportError` with `HTTPTransportError/Code/library` if it is missing, or has not all functions.
    static func load(_ library: String) throws(HTTPTransportError) {
        guard let reason = paw_curl_load(library) else { return }
        throw HTTPTransportError(
            .library,
            detail:
                "libcurl 7.68 or newer cannot be loaded; install it (libcurl4 in Debian): \(String(cString: reason))"
        )
    }

    /// Checks that a version is not too old.
    static func check(number: UInt32, name: String) throws(HTTPTransportError) {
        guard number >= oldest else {
            throw HTTPTransportError(.library, detail: "libcurl \(name) is too old; install 7.68 or newer")
        }
    }

    /// Whether a transfer can be removed while its name lookup runs: from 7.87. An older libcurl waits for the system's
    /// lookup, and every exchange of the transport with it.
    static let canAbandonLookups = version >= 0x07_57_00

    /// Whether libcurl does not reuse a connection with unread bytes: from 8.0.
    static let detectsExcessBytes = version >= 0x08_00_00

    /// Whether a connection with HTTP/2 by prior knowledge can be reused without TLS: not in 7.88, where every further request
    /// on it fails with a framing error (curl's pull request 10634).
    static let reusesPriorKnowledge = !(0x07_58_00..<0x08_00_00).contains(version)

    /// Whether libcurl reports that a transfer used a proxy: from 8.7.
    static let reportsProxyUse = version >= 0x08_07_00

    /// Whether an easy handle may be used for more than one transfer.
    ///
    /// From 7.83.0 up to 8.1.0 a handle retains a pointer to the last header of the previous transfer, which has been
    /// freed, and dereferences it when a head begins with a continuation line (curl's pull request 11103). With these
    /// versions each transfer gets a new handle; connections are reused all the same.
    static let mayReuseHandles = version != 0 && mayReuseHandles(number: version)

    /// The same for a version, 0xXXYYZZ.
    static func mayReuseHandles(number: UInt32) -> Bool { !(0x07_53_00..<0x08_01_01).contains(number) }
}
