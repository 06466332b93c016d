// A flavour describes its API with NetworkProvider's types; re-exported, it needs one import.
@_exported public import NetworkProvider

/// A web service with pictures of one animal.
public protocol PictureAPI: Sendable {
    /// The default base URL, without a slash at the end.
    var address: String { get }

    /// Requests the address of a random picture.
    ///
    /// - Parameters:
    ///   - breed: the ``Breed/id`` or ``Breed/name`` of the breed; `nil` for any.
    ///   - address: the base URL.
    ///   - provider: sends the request.
    /// - Returns: the address of the picture.
    /// - Throws: ``PictureFailure``.
    func randomPicture(
        of breed: String?,
        at address: String,
        through provider: NetworkProvider
    ) async throws(PictureFailure) -> PictureReference

    /// Requests the list of breeds.
    ///
    /// - Parameters:
    ///   - address: the base URL.
    ///   - provider: sends the request.
    /// - Returns: the breeds, sorted by name.
    /// - Throws: ``PictureFailure``.
    func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed]
}

/// A breed that a picture service knows.
public struct Breed: Codable, Hashable, Sendable {
    /// The identifier in requests, such as `hound/afghan` or `beng`.
    public let id: String
    /// The name, such as `Afghan hound` or `Bengal`.
    public let name: String

    /// Creates a breed.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// The address of a picture.
public struct PictureReference: Codable, Hashable, Sendable {
    /// The URL of the file.
    public let url: String
    /// The name of the breed; `nil` if unknown.
    public let breed: String?

    /// Creates a reference.
    public init(url: String, breed: String?) {
        self.url = url
        self.breed = breed
    }
}

/// A target of a picture service. Its time limits are short, because the user is waiting for the picture.
public protocol PictureTarget: RemoteTargetType {}

extension PictureTarget {
    /// Five seconds to connect, ten without data, thirty in total.
    public var timeout: HTTPTimeouts {
        HTTPTimeouts(connect: .seconds(5), idle: .seconds(10), total: .seconds(30))
    }
}
