import AccountCore
import AppUI

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
@MainActor
struct SignUpPresenter {
    /// What the view reports.
    @MainActor
    final class Input {
        /// The text of each field.
        let texts: [AccountField: StateCell<String>] = Dictionary(
            uniqueKeysWithValues: AccountField.allCases.map { ($0, StateCell("")) }
        )
        let gender = StateCell(Profile.Gender.unspecified)
        let step = StateCell(SignUpStep.phone)
        /// The button was pressed, or Enter.
        let tap = EventCell<Void>()

        /// The text of a field.
        func text(_ field: AccountField) -> String { texts[field]?.value ?? "" }
    }

    /// What the view shows, and what leaves the screen.
    @MainActor
    final class Output {
        /// Whether each field is valid, shared by all observers.
        let validities: [AccountField: StateCell<FieldValidity>]
        /// Whether all fields of the present step are valid.
        let isEnabled: StateCell<Bool>
        /// The step, for each tap while its fields are valid.
        let submission = EventCell<SignUpStep>()

        init(validities: [AccountField: StateCell<FieldValidity>], isEnabled: StateCell<Bool>) {
            self.validities = validities
            self.isEnabled = isEnabled
        }

        /// Whether the text of a field is valid.
        func validity(_ field: AccountField) -> FieldValidity { validities[field]?.value ?? .empty }
    }

    /// Returns the output of an input.
    func transform(_ input: Input) -> Output {
        let validities = Dictionary(
            uniqueKeysWithValues: input.texts.map { field, text in
                (field, text.map { AccountValidator.validity(of: $0, as: field) })
            }
        )
        let output = Output(validities: validities, isEnabled: StateCell(false))
        // Weakly, since the cells of both retain the closure.
        let update: @MainActor () -> Void = { [weak input, weak output] in
            guard let input, let output else { return }
            output.isEnabled.value = input.step.value.fields.allSatisfy { output.validity($0).isValid }
        }
        for validity in validities.values { validity.bind { _ in update() } }
        input.step.bind { _ in update() }
        input.tap.bind { [weak input, weak output] in
            guard let input, let output, output.isEnabled.value else { return }
            output.submission.send(input.step.value)
        }
        return output
    }
}
