/// Bounds on what a server may send; going over one fails the exchange.
public struct HTTPLimits: Hashable, Sendable {
    /// The bytes of one response's whole head, interim answers and trailers included.
    public var headerBytes: Int
    /// The fields of one response's whole head, interim answers and trailers included.
    public var headerFields: Int
    /// The bytes of a body as they are sent, streamed or not; nil for no bound beside the reader's own.
    public var bodyBytes: Int64?
    /// The bytes that a compressed body may unfold to, streamed or not.
    public var decompressedBytes: Int
    /// How many bytes one compressed byte may unfold to, looked at once a body has unfolded to 4 MiB: real data stays
    /// under 100, a bomb goes to 1,000. At least 1.
    public var decompressionRatio: Int {
        didSet { decompressionRatio = max(1, decompressionRatio) }
    }

    /// Creates limits: a head of 256 KiB and 1,000 fields, a decompressed body of 256 MiB and 250 times its packed
    /// size, unless told otherwise.
    public init(
        headerBytes: Int = 256 << 10,
        headerFields: Int = 1_000,
        bodyBytes: Int64? = nil,
        decompressedBytes: Int = 256 << 20,
        decompressionRatio: Int = 250
    ) {
        self.headerBytes = headerBytes
        self.headerFields = headerFields
        self.bodyBytes = bodyBytes
        self.decompressedBytes = decompressedBytes
        self.decompressionRatio = max(1, decompressionRatio)
    }
}
