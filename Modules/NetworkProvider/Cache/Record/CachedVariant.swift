#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One stored answer of a URL: for which requests it may be used, its head, and where its body is.
struct CachedVariant: Sendable, Equatable {
    /// Where the bytes are.
    enum Body: Sendable, Equatable {
        /// In the record itself.
        case inline(Data)
        /// Under a key of its own, so many bytes.
        case separate(key: String, count: Int)
    }

    /// The digest of the credentials it was sent with; empty without any. It is used for no others.
    var partition: [UInt8]
    /// Whether it holds unpacked bytes.
    var isUnpacked: Bool
    /// The names in its Vary, in lower case.
    var varyNames: [String]
    /// The digest of what the request said under those names.
    var varyDigest: [UInt8]
    /// What its use is reckoned from.
    var head: StoredHead
    /// The kept fields as lines.
    var fields: [UInt8]
    /// The bytes.
    var body: Body

    /// The kept fields.
    var headers: HTTPHeaders { HTTPHeaders(block: fields) }

    /// Whether it may be used for a request, as that one is sent (RFC 9111, section 4.1).
    func matches(_ request: CacheIdentity) -> Bool {
        partition == request.partition && isUnpacked == request.isUnpacked
            && (varyNames.isEmpty || request.digest(of: varyNames) == varyDigest)
    }

    /// Whether both are for the same requests.
    func hasSamePlace(as other: CachedVariant) -> Bool {
        partition == other.partition && isUnpacked == other.isUnpacked && varyNames == other.varyNames
            && varyDigest == other.varyDigest
    }

    /// Fields as lines of a head.
    static func lines(_ headers: HTTPHeaders) -> [UInt8] {
        var lines: [UInt8] = []
        for field in headers.fields { lines += "\(field.name): \(field.value)\r\n".utf8 }
        return lines
    }
}
