/// Why there is no picture.
public enum PictureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are no bytes at all.
    case empty
    /// The bytes are a web page or other mark-up, as servers send in place of a picture.
    case markup
    /// The bytes begin like no format that is read; their first bytes are kept, 16 at the most.
    case unknownFormat(firstBytes: [UInt8])
    /// More encoded bytes than allowed.
    case tooManyBytes(count: Int, limit: Int)
    /// The header announces more pixels than allowed.
    case tooLarge(width: Int, height: Int, limit: Int)
    /// Decoding would take more memory than allowed; sizes in bytes.
    case tooMuchMemory(needed: Int, limit: Int)
    /// A progressive JPEG with more scans than allowed.
    case tooManyScans(limit: Int)
    /// The header announces a width or a height of zero.
    case noPixels(PictureFormat)
    /// The bytes end before anything can be shown.
    case truncated(PictureFormat)
    /// The bytes break the format's rules before anything can be shown; `reason` in the decoder's words.
    case damaged(PictureFormat, reason: String)
    /// A valid picture of a kind that is not read; `reason` in the decoder's words.
    case unsupported(PictureFormat, reason: String)
    /// The system gave no memory.
    case outOfMemory

    /// What is wrong and what to do, in one sentence or two.
    public var description: String {
        switch self {
        case .empty:
            "The picture is empty: no bytes came. Ask for it again."
        case .markup:
            "This is a web page, not a picture. Check the address; the server may be answering with an error page."
        case .unknownFormat(let bytes):
            "This is neither JPEG, PNG nor GIF (it begins with \(Self.hexadecimal(bytes))). Ask for one of these."
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
        case .outOfMemory:
            "There is no memory left for the picture. Close something, or ask for a smaller one."
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.prefix(8)
            .map { byte in
                let digits = String(byte, radix: 16)
                return digits.count < 2 ? "0" + digits : digits
            }
            .joined(separator: " ")
    }
}

extension PictureFormat {
    /// The format as people write it.
    var name: String { rawValue.uppercased() }
}
