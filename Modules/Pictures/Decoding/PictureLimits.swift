/// What may be spent on a picture from outside; checked before memory is taken.
public struct PictureLimits: Hashable, Sendable {
    /// The most encoded bytes. 32 MiB by default.
    public var bytes: Int
    /// The most pixels that a header may announce. 64 million by default.
    public var pixels: Int
    /// The most bytes of memory for decoding, the pixels included. 384 MiB by default.
    public var memory: Int
    /// The most scans of a progressive JPEG. 64 by default; cameras and editors write 3 to 12.
    public var scans: Int

    /// Creates limits, each with its default.
    public init(
        bytes: Int = 32 << 20,
        pixels: Int = 64_000_000,
        memory: Int = 384 << 20,
        scans: Int = 64
    ) {
        self.bytes = max(0, bytes)
        self.pixels = max(0, pixels)
        self.memory = max(0, memory)
        self.scans = max(1, scans)
    }

    /// The defaults: any photo of a phone, and nothing that could exhaust a small machine.
    public static let standard = PictureLimits()
}
