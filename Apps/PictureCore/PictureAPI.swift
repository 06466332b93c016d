// A flavour describes its picture API with NetworkProvider's types, and writes one import.
@_exported public import NetworkProvider

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

/// A target of a picture service: somebody is looking at the place where the picture will be, so it soon gives up.
public protocol PictureTarget: RemoteTargetType {}

extension PictureTarget {
    /// Five seconds to connect, ten between signs of life, thirty in all.
    public var timeout: HTTPTimeouts {
        HTTPTimeouts(connect: .seconds(5), idle: .seconds(10), total: .seconds(30))
    }
}
