import Checksums
import EssentialFoundation
import HTTPTransport

/// The parts of a request, as it is sent, that decide which stored responses it can use.
struct CacheIdentity: Sendable {
    /// The key of the URL's record: a digest, so that no secret of a URL is stored.
    let key: String
    /// The digest of the request's credentials; empty without credentials.
    let partition: [UInt8]
    /// Whether the body is decompressed.
    let isDecompressed: Bool
    private let headers: HTTPHeaders

    /// - Parameters:
    ///   - request: the request as it is sent.
    ///   - credentials: names of fields that carry credentials, in lower case.
    init(_ request: HTTPRequest, credentials: Set<String>) {
        key = CacheIdentity.key(of: request.url)
        isDecompressed = request.decompresses
        headers = request.headers
        var secrets: [UInt8] = []
        for field in request.headers.fields {
            let name = field.name.lowercased()
            // The lengths prevent that two different fields produce the same text.
            guard credentials.contains(name) else { continue }
            secrets += "\(name.utf8.count) \(field.value.utf8.count) \(name)\(field.value)".utf8
        }
        partition = secrets.isEmpty ? [] : SHA256.digest(of: secrets)
    }

    /// Returns the key of a URL's record, without the fragment.
    static func key(of url: URL) -> String {
        SHA256.hexadecimal(of: "record \(CacheIdentity.text(of: url))".utf8)
    }

    /// Returns the URL's text with scheme and host in lower case, without the default port and the fragment, and with
    /// a slash for an empty path (RFC 9110, section 4.2.3).
    static func text(of url: URL) -> String {
        let whole = url.absoluteString
        if isPlain(whole) { return whole }
        let scheme = url.scheme?.lowercased() ?? ""
        var text = scheme + "://" + (url.host() ?? "").lowercased()
        if let port = url.port, port != (scheme == "https" ? 443 : 80) { text += ":\(port)" }
        let path = url.path()
        text += path.isEmpty ? "/" : path
        if let query = url.query() { text += "?" + query }
        return text
    }

    /// Returns whether a URL's text is already normalized, as most are: no capital before the path, no default port, a
    /// path, no fragment. False if that is not certain.
    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var slashes = 0
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case UInt8(ascii: "#"): return false
                case UInt8(ascii: "/") where slashes < 3: slashes += 1
                case _ where slashes == 3: break
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "?"), UInt8(ascii: "@"): return false
                // ":80/" or ":443/"
                case UInt8(ascii: ":") where slashes == 2 && index + 1 < bytes.count:
                    if bytes[index + 1] == UInt8(ascii: "8") || bytes[index + 1] == UInt8(ascii: "4") { return false }
                default: break
                }
            }
            return slashes == 3
        }
    }

    /// Returns the digest of the request's fields of some names, without the spaces around values and the division
    /// into fields.
    func digest(of names: [String]) -> [UInt8] {
        var text: [UInt8] = []
        for name in names {
            guard headers.contains(name) else {
                text += "- ".utf8
                continue
            }
            let value = headers.list(name).joined(separator: ",")
            text += "\(value.utf8.count) \(value)".utf8
        }
        return SHA256.digest(of: text)
    }
}
