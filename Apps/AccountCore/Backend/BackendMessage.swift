package import AppLanguage
import Threading

/// A message of the backend to the owner of a telephone number.
package enum BackendMessage: Hashable, Sendable {
    /// A verification code.
    case code(String)
    /// A code was requested for a number that already has an account.
    case alreadyRegistered

    /// The verification code; `nil` for another message.
    var code: String? {
        if case .code(let code) = self { code } else { nil }
    }

    /// The text of the message, without the sender.
    package var text: LocalizedText {
        switch self {
        case .code(let code): LocalizedText("Your verification code is \(code).", ko: "인증번호는 \(code)입니다.")
        case .alreadyRegistered:
            LocalizedText(
                "A sign-up was requested for this number, which has an account. Log in, or ignore this message.",
                ko: "이미 가입된 번호로 회원가입을 요청했습니다. 로그인하거나 이 메시지를 무시하세요."
            )
        }
    }
}

/// The messages that the embedded backend sends to telephone numbers: the app shows them on the screen.
final class EmbeddedOutbox: Sendable {
    private let messages = Locked<[String: BackendMessage]>([:])

    /// Receives a message of the backend.
    func deliver(_ message: BackendMessage, to phone: String) { messages.withLock { $0[phone] = message } }

    /// Returns the message for a number, once.
    func takeMessage(for phone: String) -> BackendMessage? {
        messages.withLock { $0.removeValue(forKey: phone) }
    }
}
