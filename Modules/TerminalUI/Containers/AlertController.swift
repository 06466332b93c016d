/// A question over everything else; it is answered before anything else gets the focus.
///
///     let alert = AlertController(title: "Delete?", message: "This cannot be undone.")
///     alert.addAction("Cancel", kind: .cancel)
///     alert.addAction("Delete", kind: .destructive) { ... }
///     controller.present(alert)
public final class AlertController: ViewController {
    /// What the question is about, at more length.
    public let message: String
    /// The answers, in the order of their buttons.
    public private(set) var actions: [Action] = []
    /// The fields to fill in.
    public private(set) var textFields: [TextField] = []

    /// An answer.
    public struct Action {
        /// What the button says.
        public let title: String
        /// How it is meant.
        public let kind: Kind
        let handler: (() -> Void)?
    }

    /// How an answer is meant.
    public enum Kind: Hashable, Sendable {
        /// One of several.
        case plain
        /// The one that is meant.
        case primary
        /// The one that changes nothing; Escape gives it.
        case cancel
        /// One that takes something away.
        case destructive
    }

    /// A question without answers yet; without any, a button "OK" closes it.
    public init(title: String, message: String = "") {
        self.message = message
        super.init()
        self.title = title
    }

    /// Adds an answer; the alert closes before the handler runs.
    public func addAction(_ title: String, kind: Kind = .plain, handler: (() -> Void)? = nil) {
        actions.append(Action(title: title, kind: kind, handler: handler))
    }

    /// Adds a field to fill in; Enter in it gives the primary answer.
    @discardableResult
    public func addTextField(placeholder: String = "", text: String = "") -> TextField {
        let field = TextField(placeholder: placeholder, text: text)
        field.onSubmit = { [weak self] _ in
            guard let self, let action = self.actions.first(where: { $0.kind == .primary }) else { return }
            self.answer(action)
        }
        textFields.append(field)
        return field
    }

    /// Makes the panel of title, message, fields and buttons; without actions it gets one, "OK".
    public override func loadView() -> View {
        if actions.isEmpty { addAction("OK", kind: .primary) }
        return AlertView(
            title: title ?? "",
            message: message,
            fields: textFields,
            buttons: actions.map { action in
                Button(action.title, kind: action.buttonKind) { [weak self] in self?.answer(action) }
            }
        )
    }

    /// Escape gives the cancelling action's answer, or the only action's; with several others it does nothing.
    public override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        if let cancel = actions.first(where: { $0.kind == .cancel }) {
            answer(cancel)
        } else if actions.count == 1 {
            answer(actions[0])
        }
        return true
    }

    private func answer(_ action: Action) {
        dismiss()
        action.handler?()
    }
}

extension AlertController.Action {
    fileprivate var buttonKind: Button.Kind {
        switch kind {
        case .plain, .cancel: .plain
        case .primary: .primary
        case .destructive: .destructive
        }
    }
}
