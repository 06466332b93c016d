public import NeedleKit

/// Shows that something is under way, with its text: "⠹ Loading…"; where nothing may move, the text alone says it.
public final class Spinner: View {
    /// What is under way.
    public var text: String { didSet { invalidateIntrinsicContentSize(); setNeedsDisplay() } }
    /// Whether it is under way now; off, nothing is drawn.
    public private(set) var isAnimating = false

    private static let frames: [Character] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    private static let interval = Duration.milliseconds(100)
    private var step = 0
    private var turning: Task<Void, Never>?

    /// A spinner that stands still until it is started.
    public init(_ text: String = "Loading…") {
        self.text = text
        super.init()
    }

    isolated deinit { turning?.cancel() }

    /// Begins to turn.
    public func startAnimating() {
        guard !isAnimating else { return }
        isAnimating = true
        turn()
        setNeedsDisplay()
    }

    /// Stops and draws nothing.
    public func stopAnimating() {
        isAnimating = false
        turn()
        setNeedsDisplay()
    }

    /// One row, and the text's columns with two for the sign that turns.
    public override var intrinsicContentSize: IntrinsicSize {
        IntrinsicSize(width: Double(DisplayWidth.of(text) + 2), height: 1)
    }

    /// Begins to turn in a window that moves, and stops where it leaves one.
    public override func didMoveToWindow() { turn() }

    /// Draws the sign and the text while it is animating, nothing else.
    public override func draw(in canvas: Canvas) {
        guard isAnimating else { return }
        let moves = window?.animationsEnabled ?? false
        canvas.text(
            moves ? String(Self.frames[step % Self.frames.count]) : "·",
            x: 0,
            y: 0,
            style: Style(foreground: effectiveTint, attributes: .bold)
        )
        canvas.text(TextLayout.truncate(text, to: max(0, bounds.width - 2)), x: 2, y: 0, style: theme.text)
    }

    private func turn() {
        turning?.cancel()
        turning = nil
        guard isAnimating, let window, window.animationsEnabled else { return }
        let clock = window.clock
        turning = Task { [weak self] in
            while (try? await clock.sleep(for: Self.interval)) != nil {
                guard let self else { return }
                self.step += 1
                self.setNeedsDisplay()
            }
        }
    }
}
