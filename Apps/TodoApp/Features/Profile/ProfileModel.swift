/// What the profile shows.
struct ProfileModel: Hashable, Sendable {
    /// What the user has set.
    var settings = Settings()
    /// How many todos are open.
    var openCount = 0
    /// How many are completed and not put away.
    var doneCount = 0
    /// How many have been put away.
    var archivedCount = 0
    /// Where everything is kept.
    var dataDirectory = ""
    /// The program's name and version.
    var version = ""
    /// What could not be read or kept; `nil` where all is well.
    var problem: String?
}
