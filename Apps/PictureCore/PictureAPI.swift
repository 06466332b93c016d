// A flavour describes its API with NetworkProvider's types; re-exported, it needs one import.
@_exported public import NetworkProvider
public import Pictures
import TextEscaping

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
    public init(id: String, name: String) { (self.id, self.name) = (id, name) }
}

/// The address of a picture.
public struct PictureReference: Codable, Hashable, Sendable {
    /// The URL of the file.
    public let url: String
    /// The name of the breed; `nil` if unknown.
    public let breed: String?

    /// Creates a reference.
    public init(url: String, breed: String?) { (self.url, self.breed) = (url, breed) }
}

/// A target of a picture service. Its time limits are short, because the user is waiting for the picture.
public protocol PictureTarget: RemoteTargetType {}

/// Requests that are sent although the cache has a response.
enum Reloading {
    /// Whether this task requests again what the cache had, or the server sent, in a form that cannot be used.
    @TaskLocal static var isActive = false
}

extension PictureTarget {
    /// The policy of the cache; the whole response is requested again if the last one cannot be decoded.
    public var cachePolicy: HTTPCachePolicy { Reloading.isActive ? .reload : .inherited }

    /// Five seconds to connect, ten without data, thirty in total.
    public var timeout: HTTPTimeouts {
        HTTPTimeouts(connect: .seconds(5), idle: .seconds(10), total: .seconds(30))
    }
}

/// The reason why there is no new picture.
public enum PictureFailure: Error, Sendable {
    /// The service has no breed of this name.
    case noSuchBreed(String)
    /// The service could not be reached, or its response was not usable.
    case network(NetworkError)
    /// The response was valid and named no picture.
    case noPicture(String)
    /// The file cannot be decoded.
    case picture(PictureError, url: String)
}

extension PictureFailure: CustomStringConvertible {
    /// What failed, and what to do about it.
    public var description: String {
        switch self {
        case .noSuchBreed(let name): "there are no pictures of \(name.quoted()); `breeds` lists the breeds"
        case .network(let error): "\(error)"
        case .noPicture(let reason):
            "the picture service named no picture: \(reason.escapingControls(limit: 80)); try again later"
        case .picture(let error, let url):
            "the picture at \(url.escapingControls(limit: 200)) cannot be decoded: \(error)"
        }
    }

    /// A description that is short enough for a line under a picture.
    package var summary: String {
        switch self {
        case .network(let error) where error.isOffline: "offline: this is not a new picture"
        case .network(let error):
            error.status.map { "the picture service returned status \($0)" }
                ?? "the picture service did not respond as expected"
        case .noPicture: "the picture service named no picture"
        case .picture: "the new picture cannot be decoded"
        case .noSuchBreed(let name): "no pictures of \(name.quoted(limit: 30))"
        }
    }
}
