internal import NeedleKit

/// The root of a tree of views: it owns the layout engine and the focus, and hands input to the views.
@MainActor
public final class Window: View {
    /// What is laid out: the whole screen.
    private(set) lazy var engine = LayoutEngine(root: self)
    /// The view that keys go to first.
    public private(set) weak var firstResponder: View?
    /// The application that shows it.
    public internal(set) weak var application: Application?

    /// The theme as the application gave it; `theme` is suited to the terminal.
    public var baseTheme = Theme() { didSet { themeDidChange() } }
    /// The colours of the terminal.
    public internal(set) var colorDepth = ColorDepth.trueColor {
        didSet { if colorDepth != oldValue { themeDidChange() } }
    }
    /// The theme in use.
    public private(set) var suitedTheme = Theme()
    /// Whether things move: off, spinners stand still.
    public var animationsEnabled = true { didSet { setNeedsUpdate() } }
    /// The clock of everything timed: snackbars and spinners.
    public let clock: any Clock<Duration>

    var onNeedsUpdate: (() -> Void)?
    var needsLayout = true
    weak var mouseCapture: View?
    var size = Size.zero
    private var awaitingAppearance: [ViewController] = []
    private var layoutRequests: [View] = []

    /// An empty window.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
        super.init()
    }

    /// The window itself.
    public override var window: Window? { self }
    /// The application.
    public override var next: Responder? { application }

    /// The view controller that fills the window.
    public var rootViewController: ViewController? {
        didSet {
            guard rootViewController !== oldValue else { return }
            oldValue?.viewIfLoaded?.removeFromSuperview()
            if let view = rootViewController?.view {
                insertSubview(view, at: 0)
                view.ndl.remakeConstraints { $0.edges.equalTo(self) }
            }
        }
    }

    /// Asks for a drawing.
    func setNeedsUpdate() { onNeedsUpdate?() }

    /// Asks for a layout of everything, and a drawing after it.
    public override func setNeedsLayout() {
        needsLayout = true
        onNeedsUpdate?()
    }

    /// Asks that a view's `layoutSubviews` be called in the next layout though its size stays.
    func requestLayout(of view: View) {
        if !layoutRequests.contains(where: { $0 === view }) { layoutRequests.append(view) }
        setNeedsLayout()
    }

    func takeLayoutRequests() -> [View] {
        defer { layoutRequests = [] }
        return layoutRequests
    }

    func replaceFirstResponder(_ view: View?) { firstResponder = view }

    // MARK: - The tree

    /// A subtree came in: the engine takes its constraints, and its view controllers appear.
    func subtreeDidEnter(_ view: View) {
        engine.itemAdded(view)
        func enter(_ view: View) {
            if let controller = view.viewController {
                controller.viewWillAppear()
                awaitingAppearance.append(controller)
            }
            view.didMoveToWindow()
            view.subviews.forEach(enter)
        }
        enter(view)
        setNeedsLayout()
    }

    func subtreeWillLeave(_ view: View) {
        func leave(_ view: View) {
            view.viewController?.viewWillDisappear()
            view.subviews.forEach(leave)
        }
        leave(view)
        if let responder = firstResponder, responder.isDescendant(of: view) {
            firstResponder = nil
            responder.focusDidChange()
        }
        engine.itemRemoved(view)
    }

    func subtreeDidLeave(_ view: View) {
        func left(_ view: View) {
            if let controller = view.viewController {
                awaitingAppearance.removeAll { $0 === controller }
                controller.viewDidDisappear()
            }
            view.frame = .zero
            view.didMoveToWindow()
            view.subviews.forEach(left)
        }
        left(view)
        setNeedsLayout()
    }

    func tellAppeared() {
        let controllers = awaitingAppearance
        awaitingAppearance = []
        for controller in controllers where controller.viewIfLoaded?.window === self { controller.viewDidAppear() }
    }

    private func themeDidChange() {
        suitedTheme = baseTheme.suited(to: colorDepth)
        func tell(_ view: View) {
            view.traitsDidChange()
            view.subviews.forEach(tell)
        }
        tell(self)
        setNeedsLayout()
    }
}

extension Window {
    /// Gives the window another size, as the terminal has it.
    public func resize(to newSize: Size) {
        guard newSize != size else { return }
        let before = traits
        size = newSize
        frame = Rect(origin: .zero, size: newSize)
        if traits != before {
            func tell(_ view: View) {
                view.traitsDidChange()
                view.viewController?.traitsDidChange(from: before)
                view.subviews.forEach(tell)
            }
            tell(self)
        }
        setNeedsLayout()
    }

    /// Lays out what changed, so that every frame is right, and tells view controllers that they have appeared.
    public func layoutIfNeeded() {
        // A view may change constraints when it learns its size (a label that wraps); a few rounds settle that.
        // The first round is always made: constraints may have changed without a word.
        needsLayout = true
        var rounds = 0
        while needsLayout && rounds < 8 {
            rounds += 1
            needsLayout = false
            engine.setSize(width: Double(size.width), height: Double(size.height))
            var moved: [View] = []
            for change in engine.layout() {
                guard let view = change.item as? View, view !== self else { continue }
                let rect = change.frame
                let frame = Rect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
                if frame != view.frame {
                    view.frame = frame
                    moved.append(view)
                }
            }
            for view in moved where view.window === self {
                view.layoutSubviews()
                view.viewController?.viewDidLayoutSubviews()
            }
            for view in takeLayoutRequests() where view.window === self { view.layoutSubviews() }
        }
        tellAppeared()
        settleFocus()
    }

    /// Draws the window as it is now; `caret` is where the real cursor belongs, nil where nothing has one.
    public func render() -> (buffer: ScreenBuffer, caret: Point?) {
        layoutIfNeeded()
        let canvas = Canvas(size: size)
        render(on: canvas)
        return (canvas.buffer, caretOnScreen)
    }

    private var caretOnScreen: Point? {
        guard let view = firstResponder, let caret = view.caret else { return nil }
        let point = view.convertToWindow(caret)
        return view.visibleArea.contains(point) ? point : nil
    }
}
