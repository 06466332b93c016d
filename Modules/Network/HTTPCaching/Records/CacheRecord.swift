import EssentialFoundation
import HTTPTransport

/// All stored responses of one URL, the newest first.
struct CacheRecord: Sendable, Equatable {
    /// The maximum number of responses of one URL, for all credentials and variants together.
    static let limit = 32

    /// The responses.
    var variants: [CachedVariant] = []

    /// Returns the matching response with the latest Date (RFC 9111, section 4).
    func variant(for request: CacheIdentity) -> CachedVariant? {
        var cached: CachedVariant?
        for variant in variants where variant.matches(request) {
            guard let other = cached else {
                cached = variant
                continue
            }
            let (date, otherDate) = (variant.head.date, other.head.date)
            if date > otherDate || (date == otherDate && variant.head.responseTime > other.head.responseTime) {
                cached = variant
            }
        }
        return cached
    }

    /// Inserts a response in place of an older one for the same requests, unless a newer one has overtaken it.
    /// - Returns: the keys of obsolete bodies.
    mutating func insert(_ variant: CachedVariant, at now: Double) -> [String] {
        if variants.contains(where: { $0.hasSameKey(as: variant) && $0.head.hasOvertaken(variant.head, at: now) }) {
            return variant.bodyKey.map { [$0] } ?? []
        }
        var obsolete = remove { $0.hasSameKey(as: variant) }
        variants.insert(variant, at: 0)
        while variants.count > CacheRecord.limit { obsolete += removeOldest() }
        return obsolete
    }

    /// Removes the response that was inserted first.
    /// - Returns: the key of its body, if it has one.
    mutating func removeOldest() -> [String] { variants.popLast()?.bodyKey.map { [$0] } ?? [] }

    /// Removes responses.
    /// - Returns: the keys of obsolete bodies.
    mutating func remove(where predicate: (CachedVariant) -> Bool) -> [String] {
        var obsolete: [String] = []
        variants.removeAll { variant in
            guard predicate(variant) else { return false }
            if let key = variant.bodyKey { obsolete.append(key) }
            return true
        }
        return obsolete
    }
}

/// A stored response of a URL: the requests it can be used for, its head, and its body.
struct CachedVariant: Sendable, Equatable {
    /// The location of the body.
    enum Body: Sendable, Equatable {
        /// In the record.
        case inline(Data)
        /// Under a separate key, with its size in bytes.
        case separate(key: String, count: Int)
    }

    /// The digest of the credentials of its request; empty without credentials. It is used for no others.
    var partition: [UInt8]
    /// Whether the body is decompressed.
    var isDecompressed: Bool
    /// The names in its Vary field, in lower case.
    var varyNames: [String]
    /// The digest of the request's fields of those names.
    var varyDigest: [UInt8]
    /// The head, for the rules of freshness.
    var head: StoredHead
    /// The stored fields as lines.
    var fields: [UInt8]
    /// The body.
    var body: Body

    /// The stored fields.
    var headers: HTTPHeaders { HTTPHeaders(block: fields) }

    /// The key of a body that is not in the record.
    var bodyKey: String? { if case .separate(let key, _) = body { key } else { nil } }

    /// Returns whether the response can be used for a request, as it is sent (RFC 9111, section 4.1).
    func matches(_ request: CacheIdentity) -> Bool {
        partition == request.partition && isDecompressed == request.isDecompressed
            && (varyNames.isEmpty || request.digest(of: varyNames) == varyDigest)
    }

    /// Returns whether both are for the same requests.
    func hasSameKey(as other: CachedVariant) -> Bool {
        partition == other.partition && isDecompressed == other.isDecompressed && varyNames == other.varyNames
            && varyDigest == other.varyDigest
    }

    /// Returns fields as the lines of a head.
    static func lines(_ headers: HTTPHeaders) -> [UInt8] {
        var lines: [UInt8] = []
        for field in headers.fields { lines += "\(field.name): \(field.value)\r\n".utf8 }
        return lines
    }
}
