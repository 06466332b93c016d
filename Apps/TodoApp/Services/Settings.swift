/// What a user has set.
public struct Settings: Codable, Hashable, Sendable {
    /// What the user wants to be called; `nil` where nobody said.
    public var name: String?
    /// The breed of the pictures; `nil` for any.
    public var favouriteBreed: String?

    /// Creates settings; without arguments, those of a new user.
    public init(name: String? = nil, favouriteBreed: String? = nil) {
        self.name = name
        self.favouriteBreed = favouriteBreed
    }
}
