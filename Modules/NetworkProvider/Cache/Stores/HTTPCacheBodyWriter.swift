#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Writes a value piece by piece. One that is let go of without ``commit()`` leaves nothing behind.
public protocol HTTPCacheBodyWriter: Sendable {
    /// Adds a piece.
    func write(_ piece: Data) async throws

    /// Makes the value readable under its key, whole, in the place of an older one.
    func commit() async throws
}
