extension NetworkError {
    /// The error that any error on the way stands for.
    static func wrapping(_ error: any Error, target: String, request: RedactedRequest?) -> NetworkError {
        switch error {
        case let error as NetworkError: return error
        case is NotCached: return NetworkError(.notCached, target: target, request: request)
        case is CancellationError: return NetworkError(.cancelled, target: target, request: request)
        case let error as HTTPTransportError:
            let reason: Reason
            switch error.code {
            case .cancelled: reason = .cancelled
            case .invalidURL, .invalidMethod, .invalidHeader, .invalidBody: reason = .invalidRequest(error.description)
            default: reason = .transport(error)
            }
            return NetworkError(reason, target: target, request: request)
        case RedirectPolicy.Refusal.tooMany(let limit):
            return NetworkError(.tooManyRedirects(limit: limit), target: target, request: request)
        case RedirectPolicy.Refusal.unusable(let why):
            return NetworkError(.refusedRedirect(why), target: target, request: request)
        default: return NetworkError(.plugin(error), target: target, request: request)
        }
    }
}
