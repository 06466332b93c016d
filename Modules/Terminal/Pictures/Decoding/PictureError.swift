import TextEscaping

/// An error in decoding a picture.
public enum PictureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The data is empty.
    case empty
    /// The data is HTML or other markup, as servers send instead of a picture.
    case markup
    /// The data begins like no supported format; up to 16 of its first bytes.
    case unknownFormat(firstBytes: [UInt8])
    /// The data is longer than the limit.
    case tooManyBytes(count: Int, limit: Int)
    /// The header announces more pixels than the limit.
    case tooLarge(width: Int, height: Int, limit: Int)
    /// Decoding needs more memory than the limit; sizes in bytes.
    case tooMuchMemory(needed: Int, limit: Int)
    /// A progressive JPEG has more scans than the limit.
    case tooManyScans(limit: Int)
    /// The header announces a width or a height of zero.
    case noPixels(PictureFormat)
    /// The data ends before the first pixel.
    case truncated(PictureFormat)
    /// The data violates the format before the first pixel; `reason` is the decoder's message.
    case damaged(PictureFormat, reason: String)
    /// The picture is valid but of an unsupported kind; `reason` is the decoder's message.
    case unsupported(PictureFormat, reason: String)
    /// Decoding took longer than the limit.
    case tooSlow(limit: Duration)
    /// Memory could not be allocated.
    case outOfMemory

    /// The problem and what to do about it.
    public var description: String {
        switch self {
        case .empty:
            "The picture is empty: no bytes came. Ask for it again."
        case .markup:
            "This is a web page, not a picture. Check the address; the server may be answering with an error page."
        case .unknownFormat(let bytes):
            "This is neither JPEG, PNG nor GIF (it begins with \(Hexadecimal.string(of: bytes.prefix(8), separator: " "))). Ask for one of these."
        case .tooManyBytes(let count, let limit):
            "The picture has \(count) bytes, more than the \(limit) allowed. Ask for a smaller one."
        case .tooLarge(let width, let height, let limit):
            "The picture is \(width) x \(height) pixels, more than the \(limit) pixels allowed. Ask for a smaller one."
        case .tooMuchMemory(let needed, let limit):
            "The picture needs \(needed) bytes to decode, more than the \(limit) allowed. Ask for a smaller one."
        case .tooManyScans(let limit):
            "The JPEG has more than \(limit) scans, as no camera writes them. Ask for another picture."
        case .noPixels(let format):
            "The \(format.name) has a width or a height of zero. Ask for another picture."
        case .truncated(let format):
            "The \(format.name) ends before anything can be shown. Ask for it again."
        case .damaged(let format, let reason):
            "The \(format.name) is damaged (\(reason)). Ask for it again."
        case .unsupported(let format, let reason):
            "This kind of \(format.name) is not read (\(reason)). Ask for another picture."
        case .tooSlow(let limit):
            "The picture could not be decoded within \(limit). Ask for a smaller one."
        case .outOfMemory:
            "There is no memory left for the picture. Close something, or ask for a smaller one."
        }
    }
}

extension PictureFormat {
    /// The usual spelling of the format.
    var name: String { rawValue.uppercased() }
}
