import EssentialFoundation
import NetworkProvider

/// A request to the account server.
///
/// Every response is a reply, whatever its status, and is decoded afterwards: an error of the provider would contain the
/// beginning of the body, which may repeat what was sent.
protocol AccountTarget: RemoteTargetType where Response == AccountReply {
    /// The type of the body of a successful response; ``NoContent`` for none.
    associatedtype Value: Decodable & Sendable = NoContent
}

extension AccountTarget {
    var accept: String { "application/json" }
    var validation: ResponseValidation { .any }
    var timeout: HTTPTimeouts { HTTPTimeouts(connect: .seconds(5), idle: .seconds(15), total: .seconds(20)) }

    func decode(_ body: Data, _ head: HTTPResponseHead) throws -> AccountReply {
        AccountReply(status: head.status, retryAfter: head.headers["Retry-After"].flatMap { Int($0) }, body: body)
    }

    /// Returns the value of a reply.
    ///
    /// - Throws: the error of the status or of the body.
    func value(of reply: AccountReply) throws(AccountError) -> Value {
        guard (200...299).contains(reply.status) else { throw AccountError(reply) }
        if let empty = NoContent() as? Value {
            // Another server would not send exactly this status.
            guard reply.status == 204 else { throw .unusable(.malformed) }
            return empty
        }
        guard let value = try? JSONDecoder().decode(Value.self, from: reply.body) else { throw .unusable(.malformed) }
        return value
    }
}

/// A response of the account server.
struct AccountReply: Sendable {
    let status: Int
    /// The value of `Retry-After` in seconds, if there is one.
    let retryAfter: Int?
    let body: Data

    /// The challenge that the request must solve, if there is one.
    var challenge: LoginChallenge? {
        status == 403 ? (try? JSONDecoder().decode(ErrorBody.self, from: body))?.challenge : nil
    }
}

/// The targets of the account server, one type for each request.
enum AccountTargets {
    /// `GET /version`, within the limit of the launch.
    struct Version: AccountTarget {
        typealias Value = VersionBody
        let base: String, path = "/version"
        let limit: Duration
        var timeout: HTTPTimeouts { HTTPTimeouts(connect: limit, idle: limit, total: limit) }
    }

    /// `POST /verification`.
    struct RequestCode: AccountTarget {
        typealias Value = CodeBody
        let base: String, path = "/verification", httpMethod = HTTPMethod.post
        let phone: String
        var task: RemoteTask { .form(QueryParameters([FormField.phone: phone])) }
    }

    /// `POST /verification/check`.
    struct CheckCode: AccountTarget {
        typealias Value = IdentityBody
        let base: String, path = "/verification/check", httpMethod = HTTPMethod.post
        let request: String, code: String
        var task: RemoteTask { .form(QueryParameters([FormField.request: request, FormField.code: code])) }
    }

    /// `POST /user`: the sign-up, a form with the `idtoken` header.
    struct SignUp: AccountTarget {
        typealias Value = SignedInBody
        let base: String, path = "/user", httpMethod = HTTPMethod.post
        let form: SignUpForm
        let pending: PendingSignUp
        let pushToken: String
        var headers: HTTPHeaders { [FormField.idTokenHeader: pending.idToken] }
        var task: RemoteTask {
            .form(
                QueryParameters([
                    FormField.phone: pending.phone, FormField.pushToken: pushToken, FormField.nickname: form.nickname,
                    FormField.birth: form.birth, FormField.email: form.email, FormField.gender: form.gender.rawValue,
                    FormField.id: form.id, FormField.password: form.password,
                ])
            )
        }
    }

    /// `GET /user`.
    struct LoadProfile: AccountTarget {
        typealias Value = Profile
        let base: String, path = "/user"
        var limit = Duration.seconds(20)
        var timeout: HTTPTimeouts { HTTPTimeouts(connect: .seconds(5), idle: limit, total: limit) }
    }

    /// `POST /session`.
    struct Login: AccountTarget {
        typealias Value = SignedInBody
        let base: String, path = "/session", httpMethod = HTTPMethod.post
        let id: String, password: String
        var challenge: LoginChallenge?, proof: String?
        var task: RemoteTask {
            let values: [String: String?] = [
                FormField.id: id, FormField.password: password, FormField.challenge: challenge?.token,
                FormField.proof: proof,
            ]
            return .form(QueryParameters(values.compactMapValues(\.self)))
        }
    }

    /// `POST /session/refresh`.
    struct Refresh: AccountTarget {
        typealias Value = TokenPair
        let base: String, path = "/session/refresh", httpMethod = HTTPMethod.post
        let token: String
        var task: RemoteTask { .form(QueryParameters([FormField.refreshToken: token])) }
    }

    /// `DELETE /session`, with the token of the session that ends.
    struct Logout: AccountTarget {
        let base: String, path = "/session", httpMethod = HTTPMethod.delete
        let token: String
        var headers: HTTPHeaders { ["Authorization": "Bearer \(token)"] }
        var timeout: HTTPTimeouts { HTTPTimeouts(connect: .seconds(3), idle: .seconds(5), total: .seconds(5)) }
    }

    /// `POST /user/nickname`.
    struct ChangeNickname: AccountTarget {
        typealias Value = Profile
        let base: String, path = "/user/nickname", httpMethod = HTTPMethod.post
        let nickname: String
        var task: RemoteTask { .form(QueryParameters([FormField.nickname: nickname])) }
    }

    /// `POST /user/update/mypage`.
    struct UpdateProfile: AccountTarget {
        typealias Value = Profile
        let base: String, path = "/user/update/mypage", httpMethod = HTTPMethod.post
        let change: ProfileChange
        var task: RemoteTask {
            let values = [
                FormField.nickname: change.nickname, FormField.birth: change.birth, FormField.email: change.email,
                FormField.gender: change.gender?.rawValue,
            ]
            return .form(QueryParameters(values.compactMapValues { $0 }))
        }
    }

    /// `PUT /user/update_fcm_token`.
    struct UpdatePushToken: AccountTarget {
        let base: String, path = "/user/update_fcm_token", httpMethod = HTTPMethod.put
        let token: String
        var task: RemoteTask { .form(QueryParameters([FormField.pushToken: token])) }
    }

    /// `PUT /user/password`.
    struct ChangePassword: AccountTarget {
        typealias Value = SignedInBody
        let base: String, path = "/user/password", httpMethod = HTTPMethod.put
        let old: String, new: String
        var task: RemoteTask { .form(QueryParameters([FormField.password: old, FormField.newPassword: new])) }
    }

    /// `POST /user/withdraw`.
    struct Withdraw: AccountTarget {
        let base: String, path = "/user/withdraw", httpMethod = HTTPMethod.post
        let password: String
        var task: RemoteTask { .form(QueryParameters([FormField.password: password])) }
    }

    /// `POST /queue` and `DELETE /queue`.
    struct SetQueued: AccountTarget {
        typealias Value = QueueStatus
        let base: String, path = "/queue"
        let isQueued: Bool
        var httpMethod: HTTPMethod { isQueued ? .post : .delete }
    }

    /// `GET /queue/onqueue`.
    struct LoadQueueStatus: AccountTarget {
        typealias Value = QueueStatus
        let base: String, path = "/queue/onqueue"
    }
}
