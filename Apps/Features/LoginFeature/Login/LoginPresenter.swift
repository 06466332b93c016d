import AccountCore
import AppUI

/// An id and a password that are valid.
struct Credentials: Hashable, Sendable {
    let id: String
    let password: String
}

/// Converts what is typed into the login form to what its view shows.
@MainActor
struct LoginPresenter {
    /// What the view reports.
    @MainActor
    struct Input {
        let id: StateCell<String>
        let password: StateCell<String>
        /// The button was pressed, or Enter.
        let tap: EventCell<Void>

        /// Creates an empty input.
        init() {
            (id, password, tap) = (StateCell(""), StateCell(""), EventCell())
        }
    }

    /// What the view shows, and what leaves the screen.
    @MainActor
    struct Output {
        /// Whether each field is valid, shared by all observers.
        let idValidity: StateCell<FieldValidity>
        let passwordValidity: StateCell<FieldValidity>
        /// Whether both fields are valid.
        let isEnabled: StateCell<Bool>
        /// The credentials, for each tap while both fields are valid.
        let submission: EventCell<Credentials>
    }

    /// Returns the output of an input.
    func transform(_ input: Input) -> Output {
        let idValidity = input.id.map { AccountValidator.validity(of: $0, as: .id) }
        let passwordValidity = input.password.map { AccountValidator.validity(of: $0, as: .password) }
        let isEnabled = idValidity.combined(with: passwordValidity) { $0.isValid && $1.isValid }
        let submission = EventCell<Credentials>()
        // Not the whole input: the tap would retain itself, and with it the typed password.
        input.tap.bind { [id = input.id, password = input.password] in
            guard isEnabled.value else { return }
            submission.send(Credentials(id: id.value, password: password.value))
        }
        return Output(
            idValidity: idValidity,
            passwordValidity: passwordValidity,
            isEnabled: isEnabled,
            submission: submission
        )
    }
}
