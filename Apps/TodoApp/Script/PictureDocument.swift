import Pictures

/// Where a shown picture comes from.
enum PictureSource: String, Encodable, Sendable {
    /// Just fetched.
    case network
    /// The last one fetched, kept.
    case last
    /// Part of the program.
    case bundled
}

/// What `picture --json` writes: its fields always there, absent values as `null`.
struct PictureDocument: Encodable {
    let picture: FetchedPicture
    let decoded: DecodedPicture
    let source: PictureSource
    let saved: String?
    let notice: String?

    private enum Key: String, CodingKey {
        case source
        case url
        case breed
        case format
        case width
        case height
        case bytes
        case saved
        case warnings
        case notice
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(source, forKey: .source)
        try container.encode(picture.reference?.url, forKey: .url)
        try container.encode(picture.reference?.breed, forKey: .breed)
        try container.encode(decoded.format.rawValue, forKey: .format)
        try container.encode(decoded.originalSize.width, forKey: .width)
        try container.encode(decoded.originalSize.height, forKey: .height)
        try container.encode(picture.file.count, forKey: .bytes)
        try container.encode(saved, forKey: .saved)
        try container.encode(decoded.warnings.map { "\($0)" }, forKey: .warnings)
        try container.encode(notice, forKey: .notice)
    }
}
