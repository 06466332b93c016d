/// Covers a screen below a panel, its first subview, and dims the screen. A click beside the panel closes it.
package final class ScrimView: View {
    /// Called with a click beside the panel.
    package var onOutside: (() -> Void)?
    private let dims: Bool

    /// Creates a view without a panel.
    package init(dims: Bool = true) {
        self.dims = dims
        super.init()
    }

    package override func draw(in canvas: Canvas) {
        if dims { canvas.dim(bounds) }
    }

    package override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down = event.kind, let onOutside, let panel = subviews.first, !panel.frame.contains(event.location)
        else { return false }
        onOutside()
        return true
    }
}
