import NetworkProvider

/// The file behind a picture's address.
struct PictureFile: PictureTarget {
    let base: String
    let path = ""

    /// Fetches what a service named.
    init(_ reference: PictureReference) {
        base = reference.url
    }
}
