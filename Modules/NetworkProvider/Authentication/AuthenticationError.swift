/// Why a request could not be let in; found in ``NetworkError/Reason/plugin(_:)``.
public enum AuthenticationError: Error, Sendable, CustomStringConvertible {
    /// The credential cannot be sent; the text says why.
    case unusableCredential(String)
    /// The credential was refused and getting a fresh one failed. Every request that waited for it gets this same
    /// error: ask the person to sign in again, once; or to try later, where the reason is the network.
    case refreshFailed(any Error)

    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .unusableCredential(let why): "the credential cannot be sent: \(why)"
        case .refreshFailed(let error): "the credential could not be refreshed; sign in again, or try later: \(error)"
        }
    }
}
