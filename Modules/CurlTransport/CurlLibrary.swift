import CLibcurl
import HTTPTransport

/// The version of libcurl on this machine, and what depends on it.
enum CurlLibrary {
    /// The result of curl_global_init, which must be called once before any other function.
    private static let initialised = curl_global_init(3)

    /// The version, 0xXXYYZZ; 0 if unknown.
    private static let version = curl_version_info(0).map { $0.pointee.number } ?? 0

    /// The oldest supported version: curl_multi_wakeup was added in 7.68.
    static let oldest: UInt32 = 0x07_44_00

    /// Initialises the library.
    /// - Throws: `HTTPTransportError` with `HTTPTransportError/Code/library` if it is too old or cannot be initialised.
    static func start() throws(HTTPTransportError) {
        guard initialised == 0 else {
            throw HTTPTransportError(.library, detail: "libcurl cannot be initialised: code \(initialised)")
        }
        guard let version = curl_version_info(0) else {
            throw HTTPTransportError(.library, detail: "libcurl does not report its version")
        }
        try check(number: version.pointee.number, name: String(cString: version.pointee.version))
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

    /// Whether an easy handle may be used for more than one transfer.
    ///
    /// From 7.83.0 up to 8.1.0 a handle retains a pointer to the last header of the previous transfer, which has been
    /// freed, and dereferences it when a head begins with a continuation line (curl's pull request 11103). With these
    /// versions each transfer gets a new handle; connections are reused all the same.
    static let mayReuseHandles = version != 0 && mayReuseHandles(number: version)

    /// The same for a version, 0xXXYYZZ.
    static func mayReuseHandles(number: UInt32) -> Bool { !(0x07_53_00..<0x08_01_01).contains(number) }
}
