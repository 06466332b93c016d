package import AppLanguage
package import LocalProvider
import TextEscaping

/// An error of the account. ``text`` says what happened and what to do next; it never contains a password or a token.
package enum AccountError: Error, Equatable, Sendable {
    /// Why a response cannot be used.
    package enum Unusable: Hashable, Sendable {
        /// The body is not what the protocol specifies.
        case malformed
        /// The connection ended before the response.
        case incomplete
        /// The connection is not secure: TLS failed, or the certificate of the server is not accepted. Nothing was sent.
        case insecure
        /// The server redirects to another address. Nothing was sent there.
        case redirect
        /// The response has a status that the protocol does not specify.
        case status(Int)
    }

    /// The server cannot be reached.
    case offline
    /// The server did not respond in time.
    case timedOut
    /// The response of the server cannot be used.
    case unusable(Unusable)
    /// The server failed with a status of 500 or more.
    case serverFailed(status: Int)
    /// There were too many attempts; the next one is possible after some seconds.
    case throttled(seconds: Int)
    /// The id and the password do not match, or there is no such account; the server does not distinguish the two.
    case wrongCredentials
    /// The password that was entered again for a change of the account is wrong.
    case wrongPassword
    /// The session has ended; the user has to sign in again.
    case sessionEnded
    /// The verification code is wrong.
    case wrongCode
    /// The verification code has expired, was used, or was entered wrong too often: a new one is needed.
    case codeEnded
    /// The telephone number has not been verified, or too long ago.
    case notVerified
    /// Another account has the id.
    case idTaken
    /// The password is too common for a new account, or repeats the id.
    case commonPassword
    /// The value of a field is not valid.
    case invalid(AccountField)
    /// The outside provider is not configured, or does not support the sign-in of devices.
    case providerUnavailable(name: String, ProviderProblem)
    /// The data of the account cannot be read or written on this machine.
    case storage(LocalError)
    /// The task was cancelled. Nothing is shown.
    case cancelled

    /// The status of the response; `nil` without a response.
    package var status: Int? {
        switch self {
        case .serverFailed(let status), .unusable(.status(let status)): status
        case .throttled: 429
        case .wrongCredentials, .sessionEnded: 401
        case .wrongCode, .invalid, .commonPassword: 422
        case .codeEnded: 410
        case .notVerified, .wrongPassword: 403
        case .idTaken: 409
        default: nil
        }
    }

    /// Whether the server is the reason, so that the app can continue with what is stored on this machine.
    package var isServerProblem: Bool {
        switch self {
        case .offline, .timedOut, .unusable, .serverFailed: true
        default: false
        }
    }

    /// What happened and what to do next, in one or two sentences.
    package var text: LocalizedText {
        switch self {
        case .offline:
            LocalizedText(
                "The server cannot be reached. Check the network, then try again.",
                ko: "서버에 연결할 수 없습니다. 네트워크를 확인한 뒤 다시 시도하세요."
            )
        case .timedOut:
            LocalizedText(
                "The server did not respond in time. Try again later.",
                ko: "서버가 제때 응답하지 않았습니다. 잠시 후 다시 시도하세요."
            )
        case .unusable(let reason): reason.text
        case .serverFailed(let status):
            LocalizedText(
                "The server failed (status \(status)). Try again later.",
                ko: "서버에 문제가 생겼습니다(상태 \(status)). 잠시 후 다시 시도하세요."
            )
        case .throttled(let seconds):
            LocalizedText(
                "Too many attempts. Try again in \(Self.duration(seconds)(.english)).",
                ko: "시도 횟수가 너무 많습니다. \(Self.duration(seconds)(.korean)) 뒤에 다시 시도하세요."
            )
        case .wrongCredentials:
            LocalizedText(
                "The id or the password is wrong. Check both, or sign up.",
                ko: "아이디 또는 비밀번호가 맞지 않습니다. 다시 확인하거나 회원가입을 하세요."
            )
        case .wrongPassword:
            LocalizedText("The password is wrong. Enter it again.", ko: "비밀번호가 맞지 않습니다. 다시 입력하세요.")
        case .sessionEnded:
            LocalizedText("The session has ended. Log in again.", ko: "로그인이 만료되었습니다. 다시 로그인하세요.")
        case .wrongCode:
            LocalizedText(
                "The code is wrong. Check the message, then enter it again.",
                ko: "인증번호가 맞지 않습니다. 메시지를 확인하고 다시 입력하세요."
            )
        case .codeEnded:
            LocalizedText("The code is no longer valid. Request a new one.", ko: "인증번호가 더 이상 유효하지 않습니다. 새 번호를 요청하세요.")
        case .notVerified:
            LocalizedText("The telephone number is not verified. Request a code.", ko: "전화번호가 인증되지 않았습니다. 인증번호를 요청하세요.")
        case .idTaken:
            LocalizedText("This id is taken. Choose another one.", ko: "이미 사용 중인 아이디입니다. 다른 아이디를 입력하세요.")
        case .commonPassword:
            LocalizedText("This password is easy to guess. Choose another one.", ko: "추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력하세요.")
        case .invalid(let field): field.rule
        case .providerUnavailable(let name, let problem):
            LocalizedText(
                "Signing in with \(name) is not available. \(problem.text(.english))",
                ko: "\(name) 로그인을 사용할 수 없습니다. \(problem.text(.korean))"
            )
        case .storage(let error):
            LocalizedText(
                "The account cannot be stored on this machine. \(error)",
                ko: "이 컴퓨터에 계정 정보를 저장할 수 없습니다. \(error)"
            )
        case .cancelled: LocalizedText("Cancelled.", ko: "취소되었습니다.")
        }
    }

    /// Returns a number of seconds in words, rounded up to minutes from two minutes on.
    package static func duration(_ seconds: Int) -> LocalizedText {
        let seconds = max(1, seconds)
        guard seconds >= 120 else {
            return LocalizedText(seconds == 1 ? "1 second" : "\(seconds) seconds", ko: "\(seconds)초")
        }
        let minutes = (seconds + 59) / 60
        return LocalizedText("\(minutes) minutes", ko: "\(minutes)분")
    }
}

extension AccountError.Unusable {
    fileprivate var text: LocalizedText {
        switch self {
        case .malformed:
            LocalizedText(
                "The response of the server is not valid. Check the address of the server, or update the app.",
                ko: "서버의 응답이 올바르지 않습니다. 서버 주소를 확인하거나 앱을 업데이트하세요."
            )
        case .incomplete:
            LocalizedText(
                "The connection ended before the whole response. Try again.",
                ko: "응답을 다 받기 전에 연결이 끊어졌습니다. 다시 시도하세요."
            )
        case .insecure:
            LocalizedText(
                "The connection to the server is not secure, so nothing was sent. Check the address and the clock.",
                ko: "서버와의 연결이 안전하지 않아 아무것도 보내지 않았습니다. 주소와 시계를 확인하세요."
            )
        case .redirect:
            LocalizedText(
                "The server redirects to another address, which is not allowed. Check the address of the server.",
                ko: "서버가 허용되지 않은 다른 주소로 안내합니다. 서버 주소를 확인하세요."
            )
        case .status(let status):
            LocalizedText(
                "The server refused the request (status \(status)). Check the address of the server, or update the app.",
                ko: "서버가 요청을 거부했습니다(상태 \(status)). 서버 주소를 확인하거나 앱을 업데이트하세요."
            )
        }
    }
}

extension AccountError: CustomStringConvertible {
    /// The English text.
    package var description: String { text(.english) }
}
