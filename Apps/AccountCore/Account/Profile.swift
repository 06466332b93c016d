package import AppLanguage

/// A signed-in person, as the account server or an outside provider describes them.
package struct Profile: Codable, Hashable, Sendable {
    /// A gender, as in the sign-up form.
    package enum Gender: String, Codable, Hashable, Sendable, CaseIterable {
        case female, male, other, unspecified

        /// The name of the gender.
        package var name: LocalizedText {
            switch self {
            case .female: LocalizedText("female", ko: "여성")
            case .male: LocalizedText("male", ko: "남성")
            case .other: LocalizedText("other", ko: "기타")
            case .unspecified: LocalizedText("not specified", ko: "선택 안 함")
            }
        }
    }

    /// The name that the person signs in with; empty for an account of an outside provider.
    package var id: String
    /// The name that others see.
    package var nickname: String
    /// The telephone number in the form of E.164, such as `+821012345678`; empty if unknown.
    package var phone: String
    /// The date of birth as `yyyy-MM-dd`; empty if unknown.
    package var birth: String
    /// The email address; empty if unknown.
    package var email: String
    /// The gender.
    package var gender: Gender
    /// The nickname, or the id without a nickname.
    package var displayName: String { nickname.isEmpty ? id : nickname }
    /// The name of the outside provider that the person signed in with, such as `Google`; `nil` for the account server.
    package var provider: String?

    /// Returns whether another profile is one of the same account, with other values. Those of an outside provider, which have
    /// no id, are compared as a whole.
    package func isSameAccount(as other: Profile) -> Bool {
        provider == nil && other.provider == nil ? id == other.id : self == other
    }

    /// Creates a profile.
    package init(
        id: String,
        nickname: String,
        phone: String = "",
        birth: String = "",
        email: String = "",
        gender: Gender = .unspecified,
        provider: String? = nil
    ) {
        (self.id, self.nickname, self.phone, self.birth) = (id, nickname, phone, birth)
        (self.email, self.gender, self.provider) = (email, gender, provider)
    }
}

/// The changes of a profile that a person can make; `nil` leaves a value as it is.
package struct ProfileChange: Codable, Hashable, Sendable {
    package var nickname: String?
    package var birth: String?
    package var email: String?
    package var gender: Profile.Gender?

    /// Creates a change.
    package init(nickname: String? = nil, birth: String? = nil, email: String? = nil, gender: Profile.Gender? = nil) {
        (self.nickname, self.birth, self.email, self.gender) = (nickname, birth, email, gender)
    }
}

/// The values of the sign-up form besides the telephone number, which was verified before.
package struct SignUpForm: Hashable, Sendable {
    package var id: String
    package var password: String
    package var nickname: String
    package var birth: String
    package var email: String
    package var gender: Profile.Gender

    /// Creates a form; empty without arguments.
    package init(
        id: String = "",
        password: String = "",
        nickname: String = "",
        birth: String = "",
        email: String = "",
        gender: Profile.Gender = .unspecified
    ) {
        (self.id, self.password, self.nickname) = (id, password, nickname)
        (self.birth, self.email, self.gender) = (birth, email, gender)
    }

    /// The first field that is not valid, in the order of the form; `nil` if all are.
    package var firstInvalidField: AccountField? {
        let values: [(AccountField, String)] = [
            (.id, id), (.password, password), (.nickname, nickname), (.birth, birth), (.email, email),
        ]
        return values.first { !AccountValidator.validity(of: $0.1, as: $0.0).isValid }?.0
    }
}

extension SignUpForm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id alone: the form contains a password.
    package var description: String { "SignUpForm(\(id))" }
    /// The same as ``description``.
    package var debugDescription: String { description }
    /// The id alone.
    package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
