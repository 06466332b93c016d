import AccountCore

/// A step of the sign-up.
enum SignUpStep: String, Hashable, Sendable {
    /// The telephone number.
    case phone
    /// The verification code.
    case code
    /// Id, password and the values of the profile.
    case details

    /// The fields of the step, in order.
    var fields: [AccountField] {
        switch self {
        case .phone: [.phone]
        case .code: [.code]
        case .details: [.id, .password, .nickname, .birth, .email]
        }
    }
}

/// Converts what is typed into the sign-up form to what its view shows.
enum SignUpPresenter {
    /// What the user has typed, and what the server has said about it.
    struct Input: Hashable, Sendable {
        var step = SignUpStep.phone
        var texts: [AccountField: String] = [:]
        var gender = Profile.Gender.unspecified
        /// The texts that the server has refused, of each field.
        var refused: [AccountField: String] = [:]
        /// Whether the time of the code is over.
        var isCodeExpired = false

        /// The text of a field.
        func text(_ field: AccountField) -> String { texts[field] ?? "" }
    }

    /// What the view shows.
    struct Output: Hashable, Sendable {
        /// Whether each field of the step is valid.
        let validities: [AccountField: FieldValidity]
        /// Whether the step can be submitted.
        let isEnabled: Bool
        /// The first field whose text breaks its rule.
        let invalidField: AccountField?

        /// Whether the text of a field is valid.
        func validity(_ field: AccountField) -> FieldValidity { validities[field] ?? .empty }
    }

    /// Returns the output of an input.
    static func transform(_ input: Input) -> Output {
        let fields = input.step.fields
        let ruled = fields.map { ($0, AccountValidator.validity(of: input.text($0), as: $0)) }
        var validities = Dictionary(uniqueKeysWithValues: ruled)
        // A text that the server does not accept is not marked as valid, although its form is.
        for field in fields where validities[field] == .valid {
            let isExpired = field == .code && input.isCodeExpired
            if isExpired || input.refused[field] == input.text(field) { validities[field] = .invalid }
        }
        return Output(
            validities: validities,
            isEnabled: ruled.allSatisfy { $0.1.isValid },
            invalidField: ruled.first { $0.1 == .invalid }?.0
        )
    }
}
