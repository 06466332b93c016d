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

/// How far something has come: a bar by eighths of a cell, and the percentage.
public final class ProgressBar: View {
    /// From 0 to 1; what lies outside counts as the nearer end.
    public var progress: Double { didSet { setNeedsDisplay() } }

    /// A bar at a progress.
    public init(progress: Double = 0) {
        self.progress = progress
        super.init()
    }

    /// One row; as wide as it is made.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: 1) }

    /// Draws the bar and, in five columns at its right, the percentage from 0 to 100.
    public override func draw(in canvas: Canvas) {
        let value = progress.isFinite ? min(1, max(0, progress)) : 0
        let percent = "\(Int(value * 100))%"
        let room = max(0, bounds.width - 5)
        if theme.isMonochrome {
            let full = Int(value * Double(room))
            let bar = String(repeating: "#", count: full) + String(repeating: "-", count: room - full)
            canvas.text(bar, x: 0, y: 0)
        } else {
            let eighths = Int(value * Double(room * 8))
            canvas.fill(Rect(x: 0, y: 0, width: room, height: 1), style: Style(background: theme.field.background))
            let style = Style(foreground: effectiveTint)
            canvas.text(String(repeating: "█", count: eighths / 8), x: 0, y: 0, style: style)
            if eighths % 8 > 0, let part = Unicode.Scalar(0x2590 - UInt32(eighths % 8)) {
                canvas.text(String(part), x: eighths / 8, y: 0, style: style)
            }
        }
        canvas.text(percent, x: bounds.width - DisplayWidth.of(percent), y: 0, style: theme.secondary)
    }
}
