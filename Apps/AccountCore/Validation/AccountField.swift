package import AppLanguage

/// A field of the login or sign-up form.
package enum AccountField: String, Codable, Hashable, Sendable, CaseIterable {
    case id, password, phone, code, nickname, birth, email

    /// The name of the field.
    package var name: LocalizedText {
        switch self {
        case .id: LocalizedText("Id", ko: "아이디")
        case .password: LocalizedText("Password", ko: "비밀번호")
        case .phone: LocalizedText("Number", ko: "전화번호")
        case .code: LocalizedText("Code", ko: "인증번호")
        case .nickname: LocalizedText("Nickname", ko: "닉네임")
        case .birth: LocalizedText("Birth", ko: "생년월일")
        case .email: LocalizedText("Email", ko: "이메일")
        }
    }

    /// An example of the value, or its length, for an empty field.
    package var example: LocalizedText {
        switch self {
        case .id, .password: LocalizedText("6 to 12 characters", ko: "6~12자")
        case .phone: LocalizedText(verbatim: "010-1234-5678")
        case .code: LocalizedText("6 digits", ko: "숫자 6자리")
        case .nickname: LocalizedText("1 to 10 characters", ko: "1~10자")
        case .birth: LocalizedText(verbatim: "2001-03-09")
        case .email: LocalizedText(verbatim: "name@example.com")
        }
    }

    /// The rule for the value, as a sentence.
    package var rule: LocalizedText {
        switch self {
        case .id:
            LocalizedText("The id has 6 to 12 visible characters without spaces.", ko: "아이디는 공백 없이 6~12자입니다.")
        case .password:
            LocalizedText("The password has 6 to 12 characters without spaces.", ko: "비밀번호는 공백 없이 6~12자입니다.")
        case .phone:
            LocalizedText(
                "Enter a telephone number such as 010-1234-5678 or +82 10 1234 5678.",
                ko: "010-1234-5678 또는 +82 10 1234 5678 형식으로 전화번호를 입력하세요."
            )
        case .code: LocalizedText("The code has 6 digits.", ko: "인증번호는 숫자 6자리입니다.")
        case .nickname:
            LocalizedText("The nickname has 1 to 10 characters, one of them visible.", ko: "닉네임은 보이는 문자를 포함해 1~10자입니다.")
        case .birth:
            LocalizedText(
                "Enter the date of birth as 2001-03-09, not in the future.",
                ko: "생년월일을 2001-03-09 형식으로, 오늘 이전 날짜로 입력하세요."
            )
        case .email:
            LocalizedText("Enter an email address such as name@example.com.", ko: "name@example.com 형식으로 이메일을 입력하세요.")
        }
    }
}

/// Whether the text of a field is valid.
package enum FieldValidity: Hashable, Sendable {
    /// The field is empty, so that there is nothing to complain about yet; it is not valid either.
    case empty
    /// The text breaks the rule of the field.
    case invalid
    /// The text is valid.
    case valid

    /// Whether the text is valid. An empty field is not.
    package var isValid: Bool { self == .valid }

    /// Whether a text is valid or invalid, for the mark of its field; `nil` while the field is empty.
    package var mark: Bool? { self == .empty ? nil : isValid }
}
