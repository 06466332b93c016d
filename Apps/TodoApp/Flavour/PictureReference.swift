/// A picture that an API has named, not fetched yet.
public struct PictureReference: Codable, Hashable, Sendable {
    /// Where the file is.
    public let url: String
    /// The breed it shows, as people write it; `nil` where the API does not say.
    public let breed: String?

    /// Creates a reference.
    public init(url: String, breed: String?) {
        self.url = url
        self.breed = breed
    }
}
