import AppLanguage
import TerminalUI

/// The question whether to discard the changed text of a form. It is restored after a kill, with the text.
@MainActor
final class DiscardQuestion {
    /// The part of a stored state while the question is open.
    nonisolated static let state = ["question": "discard"]

    private weak var alert: AlertController?

    /// Returns whether the question was open when a state was stored.
    nonisolated static func isOpen(in state: [String: String]) -> Bool { state["question"] == "discard" }

    /// Whether the question is open.
    var isOpen: Bool { alert?.presenting != nil }

    /// Opens the question.
    ///
    /// - Parameters:
    ///   - screen: the screen with the form.
    ///   - language: the language of the question.
    ///   - discard: called when the user has agreed.
    func ask(over screen: ViewController, language: AppLanguage, discard: @escaping @MainActor () -> Void) {
        let alert = AlertController(
            title: ProfileText.discardTitle(language),
            message: ProfileText.discardMessage(language)
        )
        alert.addAction(ProfileText.editOn(language), kind: .cancel)
        alert.addAction(ProfileText.discard(language), kind: .destructive) { discard() }
        self.alert = alert
        screen.present(alert)
    }
}
