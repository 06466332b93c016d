/// Why a picture could not be encoded: it is larger than the format allows, or memory is out.
public struct PictureEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The encoder's own words.
    public let reason: String

    /// What is wrong and what to do.
    public var description: String { "The picture cannot be encoded (\(reason)). Make it smaller." }
}
