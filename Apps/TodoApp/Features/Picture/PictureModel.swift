import Pictures

/// What the picture's pane shows.
struct PictureModel: Hashable, Sendable {
    /// The picture's pixels; `nil` where nothing could be decoded yet.
    var picture: Picture?
    /// What it shows, in words: a breed, or what else is known.
    var caption = ""
    /// Whether another picture is on its way.
    var isLoading = false
    /// Why the picture is not a new one; `nil` where it is.
    var notice: String?
}
