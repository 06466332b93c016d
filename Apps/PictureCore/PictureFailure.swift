public import NetworkProvider
public import Pictures

/// Why there is no new picture.
public enum PictureFailure: Error, Sendable {
    /// The service has no breed of this name.
    case noSuchBreed(String)
    /// The service could not be reached, or did not answer as it should.
    case network(NetworkError)
    /// The service answered, yet without naming a picture.
    case noPicture(String)
    /// What the service called a picture is none.
    case picture(PictureError, url: String)
}

extension PictureFailure: CustomStringConvertible {
    /// What failed, and what to do about it.
    public var description: String {
        switch self {
        case .noSuchBreed(let name):
            "there are no pictures of \"\(printable(name))\"; `breeds` lists what there is"
        case .network(let error):
            "\(error)"
        case .noPicture(let reason):
            "the picture service named no picture: \(printable(reason)); try again later"
        case .picture(let error, let url):
            "the picture at \(printable(url)) cannot be shown: \(error)"
        }
    }
}

extension PictureFailure {
    /// The same in as few words as fit under a picture.
    package var summary: String {
        switch self {
        case .network(let error) where error.isOffline: "offline: this is not a new picture"
        case .network(let error):
            error.status.map { "the picture service answered \($0)" }
                ?? "the picture service does not answer as it should"
        case .noPicture: "the picture service named no picture"
        case .picture: "the picture that came cannot be shown"
        case .noSuchBreed(let name): "no pictures of \"\(printable(name, limit: 30))\""
        }
    }
}
