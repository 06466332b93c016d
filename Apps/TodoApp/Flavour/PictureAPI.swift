public import NetworkProvider

/// A web service that has pictures of one animal.
public protocol PictureAPI: Sendable {
    /// The address it is reached at where nobody names another, without a slash at the end.
    var address: String { get }

    /// Names a picture at random.
    ///
    /// - Parameters:
    ///   - breed: only pictures of this breed, by ``Breed/id`` or ``Breed/name``; `nil` for any.
    ///   - address: where the service is.
    ///   - provider: sends the request.
    /// - Returns: the picture's address.
    /// - Throws: ``PictureFailure``.
    func randomPicture(
        of breed: String?,
        at address: String,
        through provider: NetworkProvider
    ) async throws(PictureFailure) -> PictureReference

    /// Lists the breeds, in the order of their names.
    ///
    /// - Parameters:
    ///   - address: where the service is.
    ///   - provider: sends the request.
    /// - Returns: every breed that can be asked for.
    /// - Throws: ``PictureFailure``.
    func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed]
}
