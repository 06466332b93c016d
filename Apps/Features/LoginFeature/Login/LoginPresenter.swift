import AccountCore

/// Converts what is typed into the login form to what its view shows.
///
/// Every screen is bound in the same way: its interactor shows values, and its view reports each action to its listener.
/// A form computes what it shows here, without state, so that its rules can be tested without a screen.
enum LoginPresenter {
    /// What the user has typed.
    struct Input: Hashable, Sendable {
        var id = ""
        var password = ""
    }

    /// What the view shows.
    struct Output: Hashable, Sendable {
        /// Whether each field is valid.
        let idValidity: FieldValidity
        let passwordValidity: FieldValidity

        /// Whether the form can be submitted.
        var isEnabled: Bool { idValidity.isValid && passwordValidity.isValid }

        /// The first field whose text breaks its rule.
        var invalidField: AccountField? {
            idValidity == .invalid ? .id : passwordValidity == .invalid ? .password : nil
        }
    }

    /// Returns the output of an input.
    static func transform(_ input: Input) -> Output {
        Output(
            idValidity: AccountValidator.validity(of: input.id, as: .id),
            passwordValidity: AccountValidator.validity(of: input.password, as: .password)
        )
    }
}
