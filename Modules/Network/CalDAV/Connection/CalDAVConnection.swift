import EssentialFoundation
import HTTPTransport
import NetworkProvider
import Threading

/// Sends requests with the account's credential, follows redirects, and reads multistatus replies.
struct CalDAVConnection: Sendable {
    private static let maximumRedirects = 5

    let account: CalDAVAccount
    let limits: CalDAVLimits
    private let provider: NetworkProvider
    /// The last challenge of the server, and the number of requests that have used it.
    private let digest = Locked<(challenge: DigestChallenge, count: Int)?>(nil)

    init(
        _ account: CalDAVAccount,
        _ transport: (any HTTPTransport)?,
        _ plugins: [any NetworkPlugin],
        _ limits: CalDAVLimits
    ) {
        self.account = account
        self.limits = limits
        // Redirects are followed here: the credential is also sent to other hosts of the account's domain.
        provider = NetworkProvider(transport: transport, plugins: plugins, redirects: .none)
    }

    /// Sends a request and returns the response after all redirects, whatever its status, except for refusals of the
    /// credential and requests for a pause.
    func send(_ request: CalDAVRequest) async throws(CalDAVError) -> HTTPResponse {
        var request = request
        request.responseBytes = limits.replyBytes
        var (redirects, attempts) = (0, 0)
        while true {
            if let problem = transferProblem(request.url) { throw request.error(problem) }
            request.headers["Authorization"] = authorization(for: request)
            let response: HTTPResponse
            do throws(NetworkError) {
                response = try await provider.stream(request)
            } catch {
                throw request.error(error)
            }
            switch response.status {
            case 401:
                await response.discard()
                attempts += 1
                if attempts <= 2, takeChallenge(response.head, isFirst: attempts == 1) { continue }
                throw request.error(refusal(of: request))
            case 429, 503:
                await response.discard()
                throw request.error(.busy(retryAfter: RetryPolicy.retryAfter(response.head, now: Date())))
            default:
                guard let next = try nextURL(after: request, response.head, redirects) else { return response }
                await response.discard()
                request.url = next
                redirects += 1
            }
        }
    }

    /// The URL that a response redirects to, for a request with the same method and body; nil if it does not redirect.
    private func nextURL(
        after request: CalDAVRequest,
        _ head: HTTPResponseHead,
        _ followed: Int
    ) throws(CalDAVError) -> URL? {
        let policy = RedirectPolicy(limit: CalDAVConnection.maximumRedirects)
        do throws(RedirectPolicy.Refusal) {
            guard let next = try policy.next(after: request.asRequest(), head, followed: followed) else { return nil }
            guard next.method == request.httpMethod else {
                throw RedirectPolicy.Refusal.unusable("status \(head.status) demands another method")
            }
            return next.url
        } catch {
            switch error {
            case .tooMany(let limit): throw request.error(.refusedRedirect("there are more than \(limit) in a row"))
            case .unusable(let why): throw request.error(.refusedRedirect(why))
            }
        }
    }

    // MARK: - Credentials

    /// Why nothing can be sent to a URL; nil if it can.
    private func transferProblem(_ url: URL) -> CalDAVError.Reason? {
        if url.scheme?.lowercased() == "http", account.url.scheme?.lowercased() == "https" {
            return .refusedRedirect("it leads from https to http")
        }
        if case .bearer = account.credential, account.trusts(url.host() ?? ""), !CalDAVAccount.isSecure(url) {
            return .insecureConnection
        }
        return nil
    }

    private func authorization(for request: CalDAVRequest) -> String? {
        guard account.trusts(request.url.host() ?? "") else { return nil }
        switch account.credential {
        case .none: return nil
        case .bearer(let token): return "Bearer " + token
        case .basic(let user, let password):
            let last = digest.withLock { digest -> (challenge: DigestChallenge, count: Int)? in
                digest?.count += 1
                return digest
            }
            guard let last else {
                guard CalDAVAccount.isSecure(request.url) else { return nil }
                return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
            }
            let path = request.url.path(percentEncoded: true)
            return last.challenge.authorization(
                user: user,
                password: password,
                method: request.httpMethod.rawValue,
                target: (path.isEmpty ? "/" : path) + (request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""),
                count: last.count,
                clientNonce: UUID().uuidString
            )
        }
    }

    /// Whether a refused request can be sent again with a response to the server's Digest challenge: one with a new nonce
    /// the first time, later only one that says that the nonce has expired.
    private func takeChallenge(_ head: HTTPResponseHead, isFirst: Bool) -> Bool {
        guard case .basic = account.credential, account.trusts(head.url.host() ?? ""),
            let challenge = DigestChallenge(head),
            // Where Basic is offered as well, the password was refused in it.
            !head.authenticationSchemes.contains("basic") || !CalDAVAccount.isSecure(head.url)
        else { return false }
        return digest.withLock { digest in
            guard isFirst && challenge.nonce != digest?.challenge.nonce || challenge.isStale else { return false }
            digest = (challenge, 0)
            return true
        }
    }

    private func refusal(of request: CalDAVRequest) -> CalDAVError.Reason {
        let host = request.url.host() ?? ""
        guard account.trusts(host) else {
            return .refusedRedirect("\(host) asks for the credential, which only \(account.url.host() ?? "") receives")
        }
        if case .basic = account.credential, !CalDAVAccount.isSecure(request.url), digest.withLock({ $0 == nil }) {
            return .insecureConnection
        }
        return .unauthorized
    }
}

extension CalDAVRequest {
    /// The error of this request.
    func error(_ reason: CalDAVError.Reason, element: String? = nil) -> CalDAVError {
        CalDAVError(
            reason,
            method: httpMethod.rawValue,
            server: HTTPOrigin(url)?.description ?? "",
            path: url.path(percentEncoded: true),
            element: element
        )
    }

    /// The error of this request for an error of the provider.
    func error(_ error: NetworkError, element: String? = nil) -> CalDAVError {
        let reason: CalDAVError.Reason
        switch error.reason {
        case .cancelled: reason = .cancelled
        case .invalidRequest(let why): reason = .invalidRequest(why)
        case .transport(let failure):
            switch failure.code {
            case .certificate(let problem): reason = .certificate(problem)
            case .bodyTooLarge, .headersTooLarge: reason = .limitExceeded(failure.detail)
            case .malformedResponse, .badContentEncoding: reason = .malformedReply(failure.description)
            default: reason = .network(error)
            }
        default: reason = .network(error)
        }
        return self.error(reason, element: element)
    }

    /// The error of this request for a failure while the body is read.
    func error(_ failure: HTTPTransportError, element: String? = nil) -> CalDAVError {
        let reason: NetworkError.Reason = failure.code == .cancelled ? .cancelled : .transport(failure)
        return error(NetworkError(reason, target: CalDAVRequest.targetName), element: element)
    }
}
