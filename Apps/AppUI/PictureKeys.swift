/// The names of the keys of the picture, for the texts that mention them.
package struct PictureKeys: Sendable {
    /// The key that fetches another picture.
    package let next: String
    /// The key that saves the picture as a favourite.
    package let favourite: String
    /// The key of the profile, where a breed is chosen.
    package let profile: String

    /// Creates the names.
    package init(next: String, favourite: String, profile: String) {
        (self.next, self.favourite, self.profile) = (next, favourite, profile)
    }
}
