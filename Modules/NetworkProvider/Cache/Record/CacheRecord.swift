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
