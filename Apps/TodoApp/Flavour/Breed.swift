/// A breed that a picture API has pictures of.
public struct Breed: Codable, Hashable, Sendable {
    /// What to ask for: `hound/afghan`, `beng`.
    public let id: String
    /// What people call it: `Afghan hound`, `Bengal`.
    public let name: String

    /// Creates a breed.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
