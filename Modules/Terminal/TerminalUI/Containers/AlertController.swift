internal import NeedleKit

/// A modal alert: a question with buttons, and optionally text fields.
///
///     let alert = AlertController(title: "Delete?", message: "This cannot be undone.")
///     alert.addAction("Cancel", kind: .cancel)
///     alert.addAction("Delete", kind: .destructive) { ... }
///     controller.present(alert)
public final class AlertController: ViewController {
    /// The explanation below the title.
    public let message: String
    /// The actions, in the order of their buttons.
    public private(set) var actions: [Action] = []
    /// The text fields, in the order in which they were added.
    public private(set) var textFields: [TextField] = []

    /// A button of an alert and what it does.
    public struct Action {
        /// The button's title.
        public let title: String
        /// The role of the action.
        public let kind: Kind
        let handler: (() -> Void)?
    }

    private weak var primaryButton: Button?
    /// The rows above the buttons, and their gaps.
    private let content = View()
    private var gaps: ConstraintGroup?
    private let box = AlertBox()
    private lazy var buttons = ButtonRows(actions.map { button($0) })
    /// The height of the window below which no row is left blank.
    private static let low = 10
    /// The height of the window below which the frame leaves its rows to the text.
    private static let tiny = 7

    /// The role of an action: it decides the button's look and the keys that trigger it.
    public enum Kind: Hashable, Sendable {
        /// An ordinary action.
        case plain
        /// The default action, which Enter triggers: its button has the focus, unless there are text fields.
        case primary
        /// The action that leaves everything unchanged; Escape triggers it.
        case cancel
        /// An action that deletes or discards something.
        case destructive
    }

    /// Creates an alert without actions. An alert that is presented without any has a button "OK" that closes it.
    public init(title: String, message: String = "") {
        self.message = message
        super.init()
        self.title = title
    }

    /// Adds an action. The alert closes before the handler runs.
    public func addAction(_ title: String, kind: Kind = .plain, handler: (() -> Void)? = nil) {
        actions.append(Action(title: title, kind: kind, handler: handler))
    }

    /// Adds a text field. Enter in the last one triggers the primary action; otherwise it moves the focus to the next view.
    @discardableResult
    public func addTextField(placeholder: String = "", text: String = "") -> TextField {
        let field = TextField(placeholder: placeholder, text: text)
        textFields.append(field)
        return field
    }

    /// Creates the panel with title, message, text fields and buttons. Adds the action "OK" if there are no actions.
    public override func loadView() -> View {
        if actions.isEmpty { addAction("OK", kind: .primary) }
        if let action = actions.first(where: { $0.kind == .primary }) {
            textFields.last?.onSubmit = { [weak self] _ in self?.answer(action) }
        }
        let scrim = ScrimView()
        box.surface = \.panel
        scrim.addSubview(box)
        box.ndl.makeConstraints { make in
            make.center.equalTo(scrim)
            make.width.lessThanOrEqualTo(scrim).offset(-2)
            make.width.equalTo(52).priority(700)
            make.height.lessThanOrEqualTo(scrim)
        }
        // Where the room is short, the message is cut to its first line, then the question; then the message goes, and then
        // rows of buttons. The first line of the question stays.
        let question = Label(title ?? "", role: .title, numberOfLines: 2)
        question.layoutNode.verticalCompressionResistance = .high - 75
        question.ndl.makeConstraints { $0.height.greaterThanOrEqualTo(1).priority(.high + 1) }
        var rows: [View] = [question]
        if !message.isEmpty {
            let label = Label(message, numberOfLines: 0)
            label.layoutNode.verticalCompressionResistance = .high - 100
            label.ndl.makeConstraints { $0.height.greaterThanOrEqualTo(1).priority(.high - 50) }
            rows.append(label)
        }
        rows += textFields as [View]
        for row in rows { content.addSubview(row) }
        gaps = content.ndl.stack(rows, spacing: 1)
        box.addSubview(content)
        box.addSubview(buttons)
        content.ndl.makeConstraints { make in
            make.top.equalTo(box).offset(1)
            make.horizontal.equalTo(box).inset(3)
            make.bottom.equalTo(buttons.ndl.top).offset(-1)
        }
        buttons.ndl.makeConstraints { make in
            make.horizontal.equalTo(box).inset(3)
            make.bottom.equalTo(box).offset(-1)
        }
        return scrim
    }

    /// Closes the blank rows where the window is low, and removes the frame where it is lower.
    public override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let gap = view.bounds.height < AlertController.low ? 0.0 : 1
        try? gaps?.setSpacing(gap)
        box.isFramed = view.bounds.height >= AlertController.tiny
        let (frame, margin) = box.isFramed ? (1.0, 3.0) : (0, 1)
        content.ndl.updateConstraints { make in
            make.top.equalTo(box).offset(frame)
            make.horizontal.equalTo(box).inset(margin)
            make.bottom.equalTo(buttons.ndl.top).offset(-gap)
        }
        buttons.ndl.updateConstraints { make in
            make.horizontal.equalTo(box).inset(margin)
            make.bottom.equalTo(box).offset(-frame)
        }
    }

    /// Moves the focus to the first text field, or else to the button of the primary action. Without one, the first button has
    /// the focus.
    public override func viewDidAppear() {
        super.viewDidAppear()
        if textFields.isEmpty { primaryButton?.becomeFirstResponder() }
    }

    private func button(_ action: Action) -> Button {
        let button = Button(action.title, kind: action.buttonKind) { [weak self] in self?.answer(action) }
        if action.kind == .primary, primaryButton == nil { primaryButton = button }
        return button
    }

    /// Escape triggers the cancel action, or the only action; with several others it is ignored.
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

/// The framed panel of an alert.
private final class AlertBox: View {
    var isFramed = true { didSet { if isFramed != oldValue { setNeedsDisplay() } } }

    override func draw(in canvas: Canvas) {
        if isFramed { canvas.frame(bounds, style: theme.border) }
    }
}

/// The buttons of an alert at its right, the last one outermost, in as many rows as they need.
private final class ButtonRows: View {
    private let buttons: [View]
    private var placed = 0

    init(_ buttons: [View]) {
        self.buttons = buttons
        super.init()
        for button in buttons { addSubview(button) }
    }

    override func intrinsicLayoutHeight(forWidth width: Double) -> Double? {
        Double(buttons.rows(in: width, spacing: 1).count)
    }

    override func layoutSubviews() {
        guard bounds.width != placed else { return }
        placed = bounds.width
        for (y, row) in buttons.rows(in: Double(placed), spacing: 1).enumerated() {
            var right = placed
            for button in row.reversed() {
                let width = min(Int(button.intrinsicContentSize.width ?? 0), placed)
                button.place(in: GridRect(x: right - width, y: y, width: width, height: 1))
                right -= width + 1
            }
        }
    }
}
