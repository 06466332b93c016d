internal import NeedleKit

/// Shows a view that has been removed while it moves out of its container.
///
/// Only its cells remain: the view itself has left the window, so that focus and events do not wait for the movement.
@MainActor
final class Departure {
    private var view: DepartingView?
    private var transition: Task<Void, Never>?

    /// Captures a descendant of the container, calls `removal`, which removes it, and moves its cells by a distance.
    ///
    /// Without animations only `removal` is called. It may add another view below the cells.
    func run(_ view: View, in container: View, by distance: GridSize, removal: () -> Void) {
        end()
        guard let window = container.window, window.animationsEnabled, view.isDescendant(of: container),
            !view.frame.isEmpty
        else { return removal() }
        let frame = view.convert(view.bounds, to: container)
        let canvas = Canvas(size: frame.size)
        let area = GridRect(origin: GridPoint(x: -frame.minX, y: -frame.minY), size: container.bounds.size)
        canvas.within(area) { view.render(on: canvas) }
        removal()
        let departing = DepartingView(canvas.buffer)
        self.view = departing
        container.addSubview(departing)
        departing.place(in: frame)
        transition = Transition.run(in: window) { [weak self, weak container] remaining in
            guard let self, self.view === departing, let container else { return }
            if remaining == 0 { return self.end() }
            departing.ndl.updateConstraints { make in
                make.left.equalTo(container)
                    .offset(Double(frame.minX) + (Double(distance.width) * (1 - remaining)).rounded())
                make.top.equalTo(container)
                    .offset(Double(frame.minY) + (Double(distance.height) * (1 - remaining)).rounded())
            }
        }
    }

    /// Ends the movement at once.
    func end() {
        transition?.cancel()
        transition = nil
        view?.removeFromSuperview()
        view = nil
    }
}

/// The cells of a view that has left the window.
private final class DepartingView: View {
    private let cells: ScreenBuffer

    init(_ cells: ScreenBuffer) {
        self.cells = cells
        super.init()
    }

    override var ignoresPointer: Bool { true }

    override func draw(in canvas: Canvas) { canvas.draw(cells) }
}
