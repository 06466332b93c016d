package import AppLanguage
import Threading

/// The messages that the embedded backend sends to telephone numbers: the app shows them on the screen.
final class EmbeddedOutbox: Sendable {
    private let messages = Locked<[String: AccountBackend.Message]>([:])

    /// Receives a message of the backend.
    func deliver(_ message: AccountBackend.Message, to phone: String) {
        messages.withLock { $0[phone] = message }
    }

    /// Returns the message for a number, once.
    func takeMessage(for phone: String) -> AccountBackend.Message? {
        messages.withLock { $0.removeValue(forKey: phone) }
    }
}

extension AccountBackend.Message {
    /// The verification code; `nil` for another message.
    var code: String? {
        if case .code(let code) = self { code } else { nil }
    }

    /// The text of the message, without the sender.
    package var text: LocalizedText {
        switch self {
        case .code(let code):
            LocalizedText("Your verification code is \(code).", ko: "인증번호는 \(code)입니다.")
        case .alreadyRegistered:
            LocalizedText(
                "Someone asked to sign up with this number, which has an account. Log in, or ignore this message.",
                ko: "이미 가입된 번호로 회원가입을 요청했습니다. 로그인하거나 이 메시지를 무시하세요."
            )
        }
    }
}
