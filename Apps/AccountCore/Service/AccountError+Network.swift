import EssentialFoundation
import HTTPTransport
import NetworkProvider

extension AccountError {
    /// Creates the error of a request to the account server. Nothing of the request is part of it.
    init(_ error: NetworkError) {
        switch error.reason {
        case .cancelled: self = .cancelled
        case .transport(let failure): self.init(failure.code)
        case .unacceptableStatus(let status): self = .unusable(.status(status))
        case .decoding, .bodyTooLarge, .encoding: self = .unusable(.malformed)
        case .tooManyRedirects, .refusedRedirect: self = .unusable(.redirect)
        case .plugin(AuthenticationError.refreshFailed(let cause)): self.init(cause)
        case .plugin(AuthenticationError.credentialReplaced): self = .cancelled
        case .plugin(let cause): self.init(cause)
        case .invalidRequest, .notCached, .file: self = .offline
        }
    }

    /// Creates the error of any cause.
    init(_ cause: any Error) {
        switch cause {
        case let error as AccountError: self = error
        case let error as NetworkError: self.init(error)
        case is CancellationError: self = .cancelled
        // A refresh that took too long.
        default: self = .timedOut
        }
    }

    private init(_ code: HTTPTransportError.Code) {
        switch code {
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .connectionLost, .noResponse, .bodyTruncated: self = .unusable(.incomplete)
        case .malformedResponse, .headersTooLarge, .bodyTooLarge, .badContentEncoding: self = .unusable(.malformed)
        case .tls, .certificate, .pinMismatch, .clientCertificate: self = .unusable(.insecure)
        default: self = .offline
        }
    }

    /// Creates the error of a reply whose status is not one of success.
    init(_ reply: AccountReply) {
        let body = try? JSONDecoder().decode(ErrorBody.self, from: reply.body)
        switch (reply.status, body?.error) {
        case (401, "wrong_credentials"): self = .wrongCredentials
        case (401, _): self = .sessionEnded
        case (403, "wrong_password"): self = .wrongPassword
        case (403, "not_verified"): self = .notVerified
        case (409, "id_taken"): self = .idTaken
        case (410, "code_ended"): self = .codeEnded
        case (422, "wrong_code"): self = .wrongCode
        case (422, "common_password"): self = .commonPassword
        case (422, "invalid"):
            self = AccountField(formField: body?.field ?? "").map { .invalid($0) } ?? .unusable(.status(422))
        case (429, _): self = .throttled(seconds: min(max(1, reply.retryAfter ?? 30), 86_400))
        case (300...399, _): self = .unusable(.redirect)
        case (500..., _): self = .serverFailed(status: reply.status)
        default: self = .unusable(.status(reply.status))
        }
    }
}

extension AccountField {
    /// Returns the field with a name in the server's forms.
    fileprivate init?(formField name: String) {
        switch name {
        case FormField.id: self = .id
        case FormField.password, FormField.newPassword: self = .password
        case FormField.phone: self = .phone
        case FormField.code: self = .code
        case FormField.nickname: self = .nickname
        case FormField.birth: self = .birth
        case FormField.email: self = .email
        default: return nil
        }
    }
}
