#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension [UInt8]? {
    /// Whether both have the same bytes, or neither has any: many at a time, where `==` goes byte by byte.
    func isSame(as other: [UInt8]?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        guard self.count == other.count else { return false }
        return self.withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return memcmp(first, second, left.count) == 0
            }
        }
    }
}
