#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads a stored value piece by piece. One reader at a time; the value stays readable when the store lets go of it.
public protocol HTTPCacheBodyReader: Sendable {
    /// The next piece, never empty; nil at the end.
    /// - Throws: where the bytes are not those that were written.
    func next() async throws -> Data?
}
