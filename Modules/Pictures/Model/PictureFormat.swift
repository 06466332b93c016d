/// The picture formats that are read, told apart by their first bytes, never by a name or a header.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
    /// JPEG, baseline or progressive.
    case jpeg
    /// PNG.
    case png
    /// GIF; its first frame is read.
    case gif

    /// The format that the bytes begin like, or `nil`.
    public init?(sniffing bytes: some Sequence<UInt8>) {
        let start = Array(bytes.prefix(8))
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else {
            return nil
        }
    }

    /// The media type, as in a `Content-Type` header.
    public var mediaType: String { "image/\(rawValue)" }
}
