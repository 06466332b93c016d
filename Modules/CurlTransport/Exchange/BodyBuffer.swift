#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Bytes that have arrived and wait for their reader, handed over without a copy.
struct BodyBuffer {
    private var bytes: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    /// Adds bytes at the end.
    /// - Parameters:
    ///   - source: the bytes.
    ///   - expected: how many bytes will be held in all, as far as is known; taken as capacity at once.
    /// - Returns: false when there is no memory for them.
    mutating func append(_ source: UnsafeRawBufferPointer, expected: Int) -> Bool {
        guard reserve(source.count, expected: expected), let bytes, let base = source.baseAddress else {
            return source.isEmpty
        }
        memcpy(bytes + count, base, source.count)
        count += source.count
        return true
    }

    private mutating func reserve(_ more: Int, expected: Int) -> Bool {
        guard count + more > capacity else { return true }
        let wanted = max(count + more, expected, capacity * 2)
        guard let grown = realloc(bytes, wanted) else { return false }
        bytes = grown
        capacity = wanted
        return true
    }

    /// Gives the bytes away and is empty afterwards.
    mutating func take() -> Data {
        guard let bytes, count > 0 else { return Data() }
        defer { self = BodyBuffer() }
        // A short piece in a long block is cut, so that a reader who keeps pieces keeps no more than their bytes.
        let kept = capacity > count + 4_096 ? realloc(bytes, count) ?? bytes : bytes
        return Data(bytesNoCopy: kept, count: count, deallocator: .free)
    }

    /// Throws the bytes away.
    mutating func drop() {
        free(bytes)
        self = BodyBuffer()
    }
}
