public import NeedleKit

/// An activity indicator with a text: "⠹ Loading…". With animations off, the sign does not move.
public final class Spinner: View {
    /// The text beside the sign.
    public var text: String { didSet { invalidateIntrinsicContentSize(); setNeedsDisplay() } }
    /// Whether the spinner is visible and animating.
    public private(set) var isAnimating = false

    private static let frames: [Character] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    private static let interval = Duration.milliseconds(100)
    private var step = 0
    private var turning: Task<Void, Never>?

    /// Creates a hidden spinner; ``startAnimating()`` shows it.
    public init(_ text: String) {
        self.text = text
        super.init()
    }

    deinit { turning?.cancel() }

    /// Shows the spinner and starts its animation.
    public func startAnimating() {
        guard !isAnimating else { return }
        isAnimating = true
        turn()
        setNeedsDisplay()
    }

    /// Stops the animation and hides the spinner.
    public func stopAnimating() {
        isAnimating = false
        turn()
        setNeedsDisplay()
    }

    /// One row; the text's width plus two columns for the sign.
    public override var intrinsicContentSize: IntrinsicSize {
        IntrinsicSize(width: Double(DisplayWidth.of(text) + 2), height: 1)
    }

    /// The text while it is animating.
    public override var plainText: [String] { isAnimating ? [text] : [] }

    /// Starts the animation in a window and stops it outside of one.
    public override func didMoveToWindow() { turn() }

    /// Draws the sign and the text while it is animating.
    public override func draw(in canvas: Canvas) {
        guard isAnimating else { return }
        let moves = window?.animationsEnabled ?? false
        canvas.text(
            moves ? String(Self.frames[step % Self.frames.count]) : "·",
            x: 0,
            y: 0,
            style: TextStyle(foreground: effectiveTint, attributes: .bold)
        )
        canvas.text(TextLayout.truncate(text, to: max(0, bounds.width - 2)), x: 2, y: 0, style: theme.text)
    }

    private func turn() {
        turning?.cancel()
        turning = nil
        guard isAnimating, let window, window.animationsEnabled else { return }
        let clock = window.clock
        turning = Task { [weak self] in
            while (try? await clock.pause(for: Self.interval)) != nil {
                guard let self else { return }
                self.step += 1
                self.setNeedsDisplay()
            }
        }
    }
}

/// A progress bar with an eighth of a cell as its smallest step, and a percentage.
public final class ProgressBar: View {
    /// The progress from 0 to 1; other values are clamped.
    public var progress: Double { didSet { setNeedsDisplay() } }
    /// Whether the percentage is at the right of the bar.
    public var showsPercentage = true { didSet { setNeedsDisplay() } }

    /// Creates a progress bar.
    public init(progress: Double = 0) {
        self.progress = progress
        super.init()
    }

    /// One row, without a preferred width.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: 1) }

    /// The label, if any, and the percentage; nothing for a bar without either.
    public override var plainText: [String] {
        guard showsPercentage || accessibilityLabel != nil else { return [] }
        return [(accessibilityLabel.map { "\($0): " } ?? "") + percent]
    }

    /// The progress that is shown, from 0 to 1.
    private var value: Double { progress.isFinite ? min(1, max(0, progress)) : 0 }
    private var percent: String { "\(Int(value * 100))%" }

    /// Draws the bar and, in five columns at its right, the percentage from 0 to 100, if it is shown.
    public override func draw(in canvas: Canvas) {
        let percent = percent
        let room = max(0, bounds.width - (showsPercentage ? 5 : 0))
        if theme.isMonochrome {
            let full = Int(value * Double(room))
            let bar = String(repeating: "#", count: full) + String(repeating: "-", count: room - full)
            canvas.text(bar, x: 0, y: 0)
        } else {
            let eighths = Int(value * Double(room * 8))
            canvas.fill(
                GridRect(x: 0, y: 0, width: room, height: 1),
                style: TextStyle(background: theme.field.background)
            )
            let style = TextStyle(foreground: effectiveTint)
            canvas.text(String(repeating: "█", count: eighths / 8), x: 0, y: 0, style: style)
            if eighths % 8 > 0, let part = Unicode.Scalar(0x2590 - UInt32(eighths % 8)) {
                canvas.text(String(part), x: eighths / 8, y: 0, style: style)
            }
        }
        guard showsPercentage else { return }
        canvas.text(percent, x: bounds.width - DisplayWidth.of(percent), y: 0, style: theme.secondary)
    }
}
