package import AppLanguage
package import TerminalUI

/// The question whether to discard the changed text of a form. It is restored after a kill, with the text.
@MainActor
package final class DiscardQuestion {
    /// The part of a stored state while the question is open.
    package nonisolated static let state = ["question": "discard"]

    private weak var alert: AlertController?

    /// Creates a question that is not open.
    package init() {}

    /// Returns whether the question was open when a state was stored.
    package nonisolated static func isOpen(in state: [String: String]) -> Bool { state["question"] == "discard" }

    /// Whether the question is open.
    package var isOpen: Bool { alert?.presenting != nil }

    /// Opens the question, unless it is open.
    package func ask(
        over screen: ViewController,
        title: LocalizedText = LocalizedText("Discard the changes?", ko: "변경 내용을 버릴까요?"),
        message: LocalizedText,
        language: AppLanguage,
        discard: @escaping @MainActor () -> Void
    ) {
        guard !isOpen else { return }
        let alert = AlertController(title: title(language), message: message(language))
        alert.addAction(CommonText.editOn(language), kind: .cancel)
        alert.addAction(CommonText.discard(language), kind: .destructive) { discard() }
        self.alert = alert
        screen.present(alert)
    }
}
