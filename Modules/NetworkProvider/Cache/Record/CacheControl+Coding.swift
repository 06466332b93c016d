/// What a record keeps of an answer's directives; those of requests alone are left out.
extension CacheControl {
    /// The directives without a number, a bit each.
    var flags: UInt16 {
        (noStore ? 1 : 0) | (noCache ? 2 : 0) | (mustRevalidate ? 4 : 0) | (isPrivate ? 8 : 0) | (isPublic ? 16 : 0)
            | (isImmutable ? 32 : 0) | (mustUnderstand ? 64 : 0)
    }

    /// The directives with a number, in their order in a record.
    var numbers: [Int?] { [maxAge, staleIfError, staleWhileRevalidate] }

    /// Directives from a record; nil for bits that stand for nothing.
    init?(flags: UInt16, maxAge: Int?, staleIfError: Int?, staleWhileRevalidate: Int?) {
        guard flags < 128 else { return nil }
        noStore = flags & 1 != 0
        noCache = flags & 2 != 0
        mustRevalidate = flags & 4 != 0
        isPrivate = flags & 8 != 0
        isPublic = flags & 16 != 0
        isImmutable = flags & 32 != 0
        mustUnderstand = flags & 64 != 0
        self.maxAge = maxAge
        self.staleIfError = staleIfError
        self.staleWhileRevalidate = staleWhileRevalidate
    }
}
