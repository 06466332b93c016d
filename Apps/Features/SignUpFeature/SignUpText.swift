import AccountCore
import AppLanguage

/// The texts of the sign-up.
enum SignUpText {
    static let title = LocalizedText("Sign up", ko: "회원가입")
    static let requesting = LocalizedText("Requesting a code…", ko: "인증번호를 요청하는 중…")
    static let verifying = LocalizedText("Verifying the code…", ko: "인증번호를 확인하는 중…")
    static let signingUp = LocalizedText("Creating the account…", ko: "계정을 만드는 중…")
    static let phoneIntroduction = LocalizedText(
        "Enter your telephone number to receive a verification code.",
        ko: "인증번호를 받을 전화번호를 입력하세요."
    )
    static let codeIntroduction = LocalizedText(
        "Enter the code that was sent to your number.",
        ko: "받은 인증번호를 입력하세요."
    )
    static let detailsIntroduction = LocalizedText("Your number is verified.", ko: "전화번호가 인증되었습니다.")
    static let send = LocalizedText("Send code", ko: "인증번호 받기")
    static let verify = LocalizedText("Verify", ko: "확인")
    static let create = LocalizedText("Create account", ko: "가입하기")
    static let resend = LocalizedText("Send again", ko: "다시 받기")
    static let back = LocalizedText("Back", ko: "뒤로")
    static let gender = LocalizedText("Gender", ko: "성별")

    /// Returns the name of a field.
    static func name(_ field: AccountField) -> LocalizedText {
        switch field {
        case .id: LocalizedText("Id", ko: "아이디")
        case .password: LocalizedText("Password", ko: "비밀번호")
        case .phone: LocalizedText("Number", ko: "전화번호")
        case .code: LocalizedText("Code", ko: "인증번호")
        case .nickname: LocalizedText("Nickname", ko: "닉네임")
        case .birth: LocalizedText("Birth", ko: "생년월일")
        case .email: LocalizedText("Email", ko: "이메일")
        }
    }

    /// Returns the placeholder of a field.
    static func hint(_ field: AccountField) -> LocalizedText {
        switch field {
        case .id, .password: LocalizedText("6 to 12 characters", ko: "6~12자")
        case .phone: LocalizedText(verbatim: "010-1234-5678")
        case .code: LocalizedText("6 digits", ko: "숫자 6자리")
        case .nickname: LocalizedText("1 to 10 characters", ko: "1~10자")
        case .birth: LocalizedText(verbatim: "2001-03-09")
        case .email: LocalizedText(verbatim: "name@example.com")
        }
    }

    /// Returns the name of a gender.
    static func name(_ gender: Profile.Gender) -> LocalizedText {
        switch gender {
        case .female: LocalizedText("female", ko: "여성")
        case .male: LocalizedText("male", ko: "남성")
        case .other: LocalizedText("other", ko: "기타")
        case .unspecified: LocalizedText("not specified", ko: "선택 안 함")
        }
    }

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
