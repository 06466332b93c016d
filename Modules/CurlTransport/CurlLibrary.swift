import CLibcurl
import HTTPTransport

/// The library as it was found on this machine.
enum CurlLibrary {
    /// What curl_global_init told; it must run once before anything else, and a static constant does just that.
    private static let initialised = curl_global_init(3)

    /// The oldest version that will do, 0xXXYYZZ: curl_multi_wakeup came with 7.68.
    static let oldest: UInt32 = 0x07_44_00

    /// Makes the library ready.
    /// - Throws: `HTTPTransportError` with `HTTPTransportError/Code/library` when it is too old or does not start.
    static func start() throws(HTTPTransportError) {
        guard initialised == 0 else {
            throw HTTPTransportError(.library, detail: "libcurl does not start: code \(initialised)")
        }
        guard let version = curl_version_info(0) else {
            throw HTTPTransportError(.library, detail: "libcurl does not tell its version")
        }
        try check(number: version.pointee.number, name: String(cString: version.pointee.version))
    }

    /// Refuses a version that is too old.
    static func check(number: UInt32, name: String) throws(HTTPTransportError) {
        guard number >= oldest else {
            throw HTTPTransportError(.library, detail: "libcurl \(name) is too old; install 7.68 or newer")
        }
    }

    /// Whether a name that is being looked up can be left to its own: from 7.87 on. An older libcurl waits for the system's
    /// answer, and every exchange of the transport with it.
    static let leavesLookups = curl_version_info(0).map { $0.pointee.number >= 0x07_57_00 } ?? false

    /// Whether a connection on which there are bytes that nobody asked for is not used again: from 8.0 on.
    static let refusesUnclean = curl_version_info(0).map { $0.pointee.number >= 0x08_00_00 } ?? false

    /// Whether an easy handle may carry more than one transfer.
    ///
    /// From 7.83.0 up to 8.1.0 a handle keeps a pointer to the last header of the transfer before, freed by then, and
    /// follows it when a server begins a head with a continuation line (curl's pull request 11103). There each transfer
    /// gets a handle of its own; connections are kept all the same.
    static let mayReuseHandles: Bool = {
        guard let version = curl_version_info(0) else { return false }
        return mayReuseHandles(number: version.pointee.number)
    }()

    /// The same for a version, 0xXXYYZZ.
    static func mayReuseHandles(number: UInt32) -> Bool { !(0x07_53_00..<0x08_01_01).contains(number) }
}
