public import NeedleKit

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
