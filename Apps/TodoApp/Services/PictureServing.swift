public import Pictures

/// Where the picture feature gets its pictures.
public protocol PictureServing: Sendable {
    /// Fetches a new picture, checks that it can be shown, and keeps it as the last one.
    ///
    /// - Parameter breed: only pictures of this breed; `nil` for any.
    /// - Returns: the picture.
    /// - Throws: ``PictureFailure``; the last picture stays what it was.
    func fetch(breed: String?) async throws(PictureFailure) -> FetchedPicture

    /// The picture that was fetched last, or the bundled one where there was none yet or it cannot be read.
    func last() async -> FetchedPicture

    /// The breeds that can be asked for.
    ///
    /// - Throws: ``PictureFailure``.
    func breeds() async throws(PictureFailure) -> [Breed]

    /// Decodes a picture's file.
    ///
    /// - Parameters:
    ///   - picture: the picture.
    ///   - size: the pixels it will fill at most; `nil` for its own size.
    /// - Returns: its pixels and what was amiss with the file.
    /// - Throws: ``PictureFailure``.
    func decode(_ picture: FetchedPicture, fitting size: PixelSize?) async throws(PictureFailure) -> DecodedPicture
}
