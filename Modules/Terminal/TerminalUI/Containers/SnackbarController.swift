internal import NeedleKit

/// Shows short messages at the lower edge of another view controller, one after the other.
public final class SnackbarController: ViewController {
    /// The content below the messages.
    public let content: ViewController
    /// The visible message.
    public private(set) var snackbar: Snackbar?

    private var visible: Message?
    private var waiting: [Message] = []
    private var timer: Task<Void, Never>?
    private var transition: Task<Void, Never>?
    private let departure = Departure()

    private struct Message {
        let text: String
        let action: String?
        let duration: Duration?
        let kind: Snackbar.Kind
        let onAction: (() -> Void)?
        /// Whether it was visible already.
        var wasShown = false
    }

    /// Creates a snackbar controller around a content view controller.
    public init(content: ViewController) {
        self.content = content
        super.init()
        addChild(content)
    }

    deinit { timer?.cancel() }

    /// Adds the content view, which fills the controller's view.
    public override func viewDidLoad() { view.fill(with: content.view) }

    /// Shows the first of the messages that were added outside of a window.
    public override func viewDidAppear() {
        super.viewDidAppear()
        if snackbar == nil { showNext() }
    }

    /// Shows a message, once the earlier messages have closed or in place of the visible one. Outside of a window messages wait
    /// until the controller appears.
    ///
    /// - Parameters:
    ///   - text: The message, shown on at most four lines.
    ///   - action: The title of a button, such as "Undo".
    ///   - duration: How long the message is visible, by the window's clock; `nil` until it is closed.
    ///   - replacesVisible: Whether the message closes the visible one and is shown at once, before those that wait. A
    ///     visible error is shown again afterwards.
    ///   - kind: Whether the message is an error. An error stays until it is closed, whatever the duration.
    ///   - onAction: Called when the button is pressed; the message closes first.
    public func show(
        _ text: String,
        action: String? = nil,
        duration: Duration? = .seconds(4),
        replacesVisible: Bool = false,
        kind: Snackbar.Kind = .information,
        onAction: (() -> Void)? = nil
    ) {
        let limit = kind == .error ? nil : duration
        let message = Message(text: text, action: action, duration: limit, kind: kind, onAction: onAction)
        waiting.insert(message, at: replacesVisible ? 0 : waiting.count)
        guard replacesVisible else {
            if snackbar == nil { showNext() }
            return
        }
        // An error that was replaced has not been closed: it is shown again afterwards.
        if let visible, visible.kind == .error { waiting.insert(visible, at: 1) }
        close()
    }

    /// Closes the visible message and shows the next one.
    public func close() {
        visible = nil
        timer?.cancel()
        timer = nil
        transition?.cancel()
        if let leaving = snackbar {
            snackbar = nil
            let height = leaving.frame.height
            departure.run(leaving, in: view, by: GridSize(width: 0, height: height)) { leaving.removeFromSuperview() }
        }
        showNext()
    }

    /// Closes the visible message and those that it has replaced, such as before text is typed below them. Messages that
    /// were never visible follow the next one.
    public func closeShown() {
        let unseen = waiting.filter { !$0.wasShown }
        waiting = []
        close()
        waiting = unseen
    }

    private func showNext() {
        guard !waiting.isEmpty, isOnScreen else { return }
        var message = waiting.removeFirst()
        message.wasShown = true
        let snackbar = Snackbar(
            message.text,
            action: message.action,
            kind: message.kind,
            onAction: { [weak self] in
                self?.close()
                message.onAction?()
            },
            onClose: { [weak self] in self?.close() }
        )
        self.snackbar = snackbar
        visible = message
        view.addSubview(snackbar)
        snackbar.ndl.makeConstraints { $0.bottom.horizontal.equalTo(view) }
        transition?.cancel()
        transition = Transition.run(in: view.window) { [view] remaining in
            guard snackbar.superview != nil else { return }
            snackbar.ndl.updateConstraints { $0.bottom.equalTo(view).offset((2 * remaining).rounded()) }
        }
        startTimer(message.duration)
    }

    private func startTimer(_ duration: Duration?) {
        guard let duration, let clock = view.window?.clock else { return }
        timer = Task { [weak self] in
            guard (try? await clock.pause(for: duration)) != nil, !Task.isCancelled else { return }
            self?.close()
        }
    }
}

/// A message at the lower edge with a close button and an optional action.
public final class Snackbar: View {
    /// The label with the text.
    public let label: Label
    /// The button that closes the message.
    public let closeButton = Button("✕", kind: .bar)
    /// The action's button, if any.
    public let actionButton: Button?

    /// The kind of the message.
    public let kind: Kind
    private var isActionBelow = false
    override var isBar: Bool { true }

    /// The kind of a message.
    public enum Kind: Hashable, Sendable {
        /// A notice that disappears by itself.
        case information
        /// A problem, which stays until it is closed.
        case error
    }

    /// Creates a message with an optional action.
    public init(
        _ text: String,
        action: String? = nil,
        kind: Kind = .information,
        onAction: (() -> Void)? = nil,
        onClose: (() -> Void)? = nil
    ) {
        self.kind = kind
        // The sign distinguishes an error without colours, too.
        label = Label(kind == .error ? "✗ \(text)" : text, numberOfLines: 4)
        actionButton = action.map { Button($0, kind: .bar, onTap: onAction) }
        super.init()
        surface = \.snackbar
        closeButton.accessibilityLabel = "Close"
        closeButton.onTap = onClose
        for view in [label, actionButton, closeButton].compactMap(\.self) { addSubview(view) }
        closeButton.ndl.makeConstraints { $0.top.right.equalTo(self) }
        arrange()
    }

    /// Moves the action below the text where the text would have less than half of the width beside it.
    public override func layoutSubviews() {
        guard let actionButton else { return }
        let below = 2 * (actionButton.frame.width + closeButton.frame.width + 2) > bounds.width
        guard below != isActionBelow else { return }
        isActionBelow = below
        arrange()
    }

    private func arrange() {
        let beside = isActionBelow ? nil : actionButton
        label.ndl.remakeConstraints { make in
            make.left.equalTo(self).offset(1)
            make.top.equalTo(self)
            make.right.equalTo((beside ?? closeButton).ndl.left).offset(-1)
            if !isActionBelow { make.bottom.equalTo(self) }
        }
        actionButton?.ndl.remakeConstraints { make in
            if isActionBelow {
                make.top.equalTo(label.ndl.bottom)
                make.right.bottom.equalTo(self)
            } else {
                make.top.equalTo(self)
                make.right.equalTo(closeButton.ndl.left)
            }
        }
    }
}
