/// Bounds on what a server may send; going over one fails the exchange.
public struct HTTPLimits: Hashable, Sendable {
    /// The bytes of one response's whole head.
    public var headerBytes: Int
    /// The bytes that a compressed body may unfold to, streamed or not.
    public var decompressedBytes: Int

    /// Creates limits: a head of 256 KiB and a decompressed body of 256 MiB, unless told otherwise.
    public init(headerBytes: Int = 256 << 10, decompressedBytes: Int = 256 << 20) {
        self.headerBytes = headerBytes
        self.decompressedBytes = decompressedBytes
    }
}
