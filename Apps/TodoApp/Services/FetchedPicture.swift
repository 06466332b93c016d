#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A picture with where it came from, as the file that the service sent.
public struct FetchedPicture: Codable, Hashable, Sendable {
    /// The service's name for it; `nil` for the bundled picture.
    public let reference: PictureReference?
    /// The JPEG or PNG file.
    public let file: Data

    /// Creates a picture.
    public init(reference: PictureReference?, file: Data) {
        self.reference = reference
        self.file = file
    }
}
