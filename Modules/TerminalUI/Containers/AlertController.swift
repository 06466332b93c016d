internal import NeedleKit

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

/// What an alert shows: a framed panel in the middle, the content behind it stepped back.
final class AlertView: View {
    private let box = AlertBox()

    init(title: String, message: String, fields: [TextField], buttons: [Button]) {
        super.init()
        addSubview(box)
        box.ndl.makeConstraints { make in
            make.centerX.equalTo(self)
            make.centerY.equalTo(self)
            make.width.lessThanOrEqualTo(self).offset(-2)
            make.width.equalTo(52).priority(700)
            make.height.lessThanOrEqualTo(self)
        }
        var rows: [(view: View, gap: Double)] = [(Label(title, role: .title, numberOfLines: 2), 1)]
        if !message.isEmpty { rows.append((Label(message, numberOfLines: 0), 1)) }
        for field in fields { rows.append((field, 1)) }
        var above: View?
        for (view, gap) in rows {
            box.addSubview(view)
            view.ndl.makeConstraints { make in
                make.left.equalTo(box).offset(3)
                make.right.equalTo(box).offset(-3)
                if let above {
                    make.top.equalTo(above.ndl.bottom).offset(gap)
                } else {
                    make.top.equalTo(box).offset(1)
                }
            }
            above = view
        }
        place(buttons, below: above)
    }

    /// Buttons stand at the right, the last one outermost; where they do not fit beside each other they are cut.
    private func place(_ buttons: [Button], below above: View?) {
        var right: View?
        for button in buttons.reversed() {
            box.insertSubview(button, at: box.subviews.count)
            button.ndl.makeConstraints { make in
                if let above { make.top.equalTo(above.ndl.bottom).offset(1) }
                make.bottom.equalTo(box).offset(-1)
                if let right {
                    make.right.equalTo(right.ndl.left).offset(-1)
                } else {
                    make.right.equalTo(box).offset(-3)
                }
                make.left.greaterThanOrEqualTo(box).offset(2)
            }
            right = button
        }
        // Tab goes from left to right.
        for button in buttons { box.bringSubviewToFront(button) }
    }

    override func draw(in canvas: Canvas) {
        canvas.dim(bounds)
    }
}

/// The alert's panel.
final class AlertBox: View {
    override func didMoveToWindow() { background = theme.panel }
    override func traitsDidChange() { background = theme.panel }

    override func draw(in canvas: Canvas) {
        canvas.frame(bounds, style: theme.border)
    }
}
