import HTTPTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All stored answers of one URL, the newest first.
struct CacheRecord: Sendable, Equatable {
    /// How many answers of one URL are kept: for so many credentials and variants together.
    static let limit = 32

    /// The answers.
    var variants: [CachedVariant] = []

    /// The answer to use for a request: among those that may be, the one with the latest Date (RFC 9111, section 4).
    func variant(for request: CacheIdentity) -> CachedVariant? {
        var found: CachedVariant?
        for variant in variants where variant.matches(request) {
            guard let other = found else {
                found = variant
                continue
            }
            let (date, otherDate) = (variant.head.date, other.head.date)
            if date > otherDate || (date == otherDate && variant.head.responseTime > other.head.responseTime) {
                found = variant
            }
        }
        return found
    }

    /// Puts an answer in the place of an older one for the same requests.
    /// - Returns: the keys of bodies that are of no use any more.
    mutating func insert(_ variant: CachedVariant) -> [String] {
        var unused = remove { $0.hasSamePlace(as: variant) }
        variants.insert(variant, at: 0)
        while variants.count > CacheRecord.limit {
            if case .separate(let key, _) = variants.removeLast().body { unused.append(key) }
        }
        return unused
    }

    /// Removes answers.
    /// - Returns: the keys of bodies that are of no use any more.
    mutating func remove(where isMeant: (CachedVariant) -> Bool) -> [String] {
        var unused: [String] = []
        variants.removeAll { variant in
            guard isMeant(variant) else { return false }
            if case .separate(let key, _) = variant.body { unused.append(key) }
            return true
        }
        return unused
    }
}

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
