package import AppLanguage
import CalDAV

/// Why a sync has failed, as a user reads it: the reason and the next step.
package struct SyncProblem: Codable, Hashable, Sendable {
    /// The reason.
    package enum Kind: String, Codable, Sendable {
        /// There is no connection. It is tried again.
        case offline
        /// The server asks for a pause. It is tried again.
        case busy
        /// The server does not accept the user or the password, or no password is stored.
        case login
        /// The server's certificate is not accepted.
        case certificate
        /// The connection is not encrypted.
        case insecure
        /// There is no CalDAV service at the address.
        case address
        /// What was typed is no address.
        case noAddress
        /// The server refused a request, or its reply is malformed.
        case server
        /// Files of this machine cannot be read or written.
        case files
    }

    package var kind: Kind
    /// The failure in detail, in English; empty without one.
    package var detail: String

    /// Creates a problem.
    package init(_ kind: Kind, detail: String = "") { (self.kind, self.detail) = (kind, detail) }

    /// Creates the problem of an error; `nil` if the sync was cancelled, or if another process syncs.
    package init?(_ error: SyncError) {
        let kind: Kind
        switch error {
        case .isRunning: return nil
        case .notSetUp: kind = .login
        case .invalidAddress:
            self.init(.noAddress)
            return
        case .todos, .storage: kind = .files
        case .server(let error):
            switch error.reason {
            case .cancelled: return nil
            case .network: kind = .offline
            case .busy: kind = .busy
            case .unauthorized: kind = .login
            case .certificate: kind = .certificate
            case .insecureConnection: kind = .insecure
            case .notCalDAV, .notFound, .refusedRedirect, .invalidRequest: kind = .address
            case .refused, .malformedReply, .limitExceeded: kind = .server
            }
        }
        self.init(kind, detail: "\(error)")
    }

    /// The reason, the next step and the details, for the output of commands.
    package var korean: String { korean(isSetUp: true) }

    func korean(isSetUp: Bool) -> String {
        "\(reason(.korean)) \(nextStep(isSetUp: isSetUp)(.korean)) (\(detail))"
    }

    /// What is wrong.
    package var reason: LocalizedText {
        switch kind {
        case .offline: LocalizedText("The server cannot be reached.", ko: "서버에 연결할 수 없습니다.")
        case .busy: LocalizedText("The server is busy and asks for a pause.", ko: "서버가 바빠서 잠시 기다려 달라고 합니다.")
        case .login:
            LocalizedText("The server does not accept the user or the password.", ko: "서버가 사용자나 비밀번호를 받아들이지 않습니다.")
        case .certificate: LocalizedText("The server's certificate is not accepted.", ko: "서버의 인증서를 믿을 수 없습니다.")
        case .insecure:
            LocalizedText(
                "The connection is not encrypted; the password was not sent.",
                ko: "암호화되지 않은 연결이어서 비밀번호를 보내지 않았습니다."
            )
        case .address: LocalizedText("There is no CalDAV service at this address.", ko: "이 주소에는 CalDAV 서비스가 없습니다.")
        case .noAddress: LocalizedText("This is no address.", ko: "주소가 아닙니다.")
        case .server: LocalizedText("The server refused the request.", ko: "서버가 요청을 거절했습니다.")
        case .files: LocalizedText("Files of this machine cannot be used.", ko: "이 컴퓨터의 파일을 쓸 수 없습니다.")
        }
    }

    /// What to do about it.
    package var nextStep: LocalizedText { nextStep(isSetUp: true) }

    /// Returns what to do about it. Without an account, no changes wait.
    package func nextStep(isSetUp: Bool) -> LocalizedText {
        switch kind {
        case .offline where !isSetUp:
            LocalizedText("Check the address and the network, and try again.", ko: "주소와 네트워크를 확인하고 다시 시도하세요.")
        case .offline:
            LocalizedText(
                "Your changes wait, and are sent when it can be reached again.",
                ko: "바꾼 내용은 보관했다가 연결되면 보냅니다."
            )
        case .busy: LocalizedText("It is tried again after the pause.", ko: "잠시 뒤에 다시 시도합니다.")
        case .login: LocalizedText("Sign in again.", ko: "다시 로그인하세요.")
        case .certificate:
            LocalizedText("Check the address, or ask the server's operator.", ko: "주소를 확인하거나 서버 관리자에게 문의하세요.")
        case .insecure: LocalizedText("Sign in at an https address.", ko: "https로 시작하는 주소로 로그인하세요.")
        case .address:
            LocalizedText(
                "Check the address; the server's calendar settings show it.",
                ko: "주소를 확인하세요. 서버의 캘린더 설정에 나옵니다."
            )
        case .noAddress: LocalizedText("Write https://HOST or a mail address.", ko: "https://HOST나 메일 주소를 쓰세요.")
        case .server:
            LocalizedText(
                "Try again later; if it stays, ask the server's operator.",
                ko: "나중에 다시 시도하고, 계속되면 서버 관리자에게 문의하세요."
            )
        case .files: LocalizedText("The command `doctor` names the file.", ko: "`doctor` 명령으로 어느 파일인지 확인하세요.")
        }
    }
}
