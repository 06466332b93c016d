public import NetworkProvider
public import Pictures
import TextEscaping

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
        case .noSuchBreed(let name):
            "there are no pictures of \(name.quoted()); `breeds` lists the breeds"
        case .network(let error):
            "\(error)"
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
