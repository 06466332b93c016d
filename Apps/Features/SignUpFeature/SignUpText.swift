import AppLanguage

/// The texts of the sign-up.
enum SignUpText {
    static let requesting = LocalizedText("Requesting a code…", ko: "인증번호를 요청하는 중…")
    static let verifying = LocalizedText("Verifying the code…", ko: "인증번호를 확인하는 중…")
    static let signingUp = LocalizedText("Creating the account…", ko: "계정을 만드는 중…")
    static let phoneIntroduction = LocalizedText(
        "Enter your telephone number to receive a verification code.",
        ko: "인증번호를 받을 전화번호를 입력하세요."
    )
    static let codeIntroduction = LocalizedText("Enter the code that was sent to your number.", ko: "받은 인증번호를 입력하세요.")
    static let detailsIntroduction = LocalizedText("Your number is verified.", ko: "전화번호가 인증되었습니다.")
    static let accountIntroduction = LocalizedText("Enter the details of your account.", ko: "계정 정보를 입력하세요.")
    static let send = LocalizedText("Send code", ko: "인증번호 받기")
    static let verify = LocalizedText("Verify", ko: "확인")
    static let create = LocalizedText("Create account", ko: "가입하기")
    static let resend = LocalizedText("Send again", ko: "다시 받기")
    static let discardTitle = LocalizedText("Discard the sign-up?", ko: "회원가입을 그만둘까요?")
    static let discardMessage = LocalizedText("What you have typed is lost.", ko: "입력한 내용이 사라집니다.")
    static let gender = LocalizedText("Gender", ko: "성별")

    /// Returns how long the code is valid, or that it has expired.
    static func validity(seconds: Int) -> LocalizedText {
        guard seconds > 0 else {
            return LocalizedText("The code has expired. Send it again.", ko: "인증번호가 만료되었습니다. 다시 받으세요.")
        }
        let rest = seconds % 60
        let time = "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
        return LocalizedText("The code is valid for \(time).", ko: "남은 시간 \(time)")
    }

    /// Returns when the code can be requested again.
    static func resend(in seconds: Int) -> LocalizedText {
        seconds == 0 ? resend : LocalizedText("Send again (\(seconds) s)", ko: "다시 받기 (\(seconds)초)")
    }
}
