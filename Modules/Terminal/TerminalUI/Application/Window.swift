internal import NeedleKit
public import Pictures

/// The root of a view hierarchy: it owns the layout engine and the focus, and dispatches events to its views.
///
/// Every change of a constraint, of the hierarchy or of the size requests a layout, which runs before the next frame. The
/// focus, the dispatch of events, the clipboard and the plain lines are capabilities with a file each.
@MainActor
public final class Window: View {
    /// The focused view, which receives keys first.
    public private(set) weak var firstResponder: View?
    /// The application that shows the window.
    public internal(set) weak var application: Application?

    /// The application's theme; ``View/theme`` is adapted to the terminal.
    public var baseTheme = Theme() { didSet { themeDidChange() } }
    /// The number of colours of the terminal.
    public internal(set) var colorDepth = ColorDepth.trueColor {
        didSet { if colorDepth != oldValue { themeDidChange() } }
    }
    /// The height of a cell divided by its width, for pictures; 2 until the terminal has reported it.
    public internal(set) var cellAspect = 2.0 { didSet { if cellAspect != oldValue { setNeedsUpdate() } } }
    /// The protocol by which pictures are shown; see ``preferredGraphics``.
    public var graphics: TerminalGraphics {
        if colorDepth == .none { return .none }
        // The reported size of a cell is better than a guess.
        if case .sixel(let cell)? = preferredGraphics { return .sixel(cell: cellPixels ?? cell) }
        return preferredGraphics ?? detectedGraphics
    }
    /// The protocol for pictures; `nil` for the one that the terminal supports, and `.none` for cells.
    public var preferredGraphics: TerminalGraphics? {
        didSet { if preferredGraphics != oldValue { setNeedsUpdate() } }
    }
    /// The style of pictures in cells; `nil` for the one that comes closest to them in the colours of the terminal
    /// (`PictureStyle.automatic`).
    public var preferredPictureStyle: PictureStyle? {
        didSet { if preferredPictureStyle != oldValue { setNeedsUpdate() } }
    }
    /// The style of pictures in cells.
    var pictureStyle: PictureStyle {
        preferredPictureStyle ?? .automatic(depth: colorDepth.forPictures, isUnicode: isUnicode)
    }
    /// Whether the terminal shows Unicode.
    var isUnicode = true { didSet { if isUnicode != oldValue { setNeedsUpdate() } } }
    /// The protocol that the terminal supports, as far as it has replied.
    var detectedGraphics = TerminalGraphics.none {
        didSet { if detectedGraphics != oldValue { setNeedsUpdate() } }
    }
    /// The size of a cell in pixels, once the terminal has reported it.
    var cellPixels: PixelSize? { didSet { if cellPixels != oldValue { setNeedsUpdate() } } }
    /// Whether a view shows pictures, so that the terminal is asked for its protocol.
    private(set) var wantsGraphics = false
    private var lastPicture: UInt16 = 0
    /// The terminal's background, once it has reported it.
    public internal(set) var terminalBackground: Color? {
        didSet { if terminalBackground != oldValue { themeDidChange() } }
    }
    /// The theme adapted to the terminal's colours and background.
    public private(set) var suitedTheme = Theme()
    /// Whether animations are shown.
    public var animationsEnabled = true { didSet { setNeedsUpdate() } }
    /// The clock for timers and animations.
    public let clock: any Clock<Duration>

    /// Whether the hardware cursor is on the focused view even if it has no caret, so that a screen reader reads it.
    public var showsCursorAtFocus = false { didSet { setNeedsUpdate() } }
    /// Whether the frames, names and constraints of the views are drawn over them, with the layout's problems.
    public var inspectsLayout = false { didSet { setNeedsUpdate() } }

    var onNeedsUpdate: (() -> Void)?
    private(set) var needsLayout = true
    weak var mouseCapture: View?
    /// The cell of the last press, in the window and in ``mouseCapture``, until the pointer leaves it.
    var pressedCell: (location: GridPoint, local: GridPoint)?
    var clicks = ClickCounter()
    /// The view below the pointer, if the terminal reports its movement.
    private(set) weak var hoveredView: View?
    /// The text that was copied last in the application; see ``copy(_:)``.
    public internal(set) var clipboard = ""
    private var size = GridSize.zero
    private var awaitingAppearance: [ViewController] = []
    /// The views whose `layoutSubviews` is called in the next layout even if their size does not change.
    private var layoutRequests: [View] = []

    private(set) lazy var engine: LayoutEngine = {
        let engine = LayoutEngine(root: self)
        engine.onLayoutNeeded = { [weak self] in self?.setNeedsLayout() }
        return engine
    }()
    /// Called after a layout for each new problem, such as constraints that conflict, with a description.
    public var onLayoutProblem: ((String) -> Void)?
    private var reportedProblems: Set<String> = []

    /// Creates an empty window.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
        super.init()
    }

    /// The rectangle of the whole window.
    public override var frame: GridRect { GridRect(origin: .zero, size: size) }
    /// The window itself.
    public override var window: Window? { self }
    /// The application.
    public override var next: Responder? { application }

    /// The view controller whose view fills the window. What the one before and its children present is dismissed.
    public var rootViewController: ViewController? {
        didSet {
            guard rootViewController !== oldValue else { return }
            oldValue?.dismissAll()
            oldValue?.viewIfLoaded?.removeFromSuperview()
            if let view = rootViewController?.view {
                insertSubview(view, at: 0)
                view.ndl.remakeConstraints { $0.edges.equalTo(self) }
            }
        }
    }

    /// Reports that a view shows pictures.
    func requestGraphics() {
        guard !wantsGraphics else { return }
        wantsGraphics = true
        setNeedsUpdate()
    }

    /// Returns an unused number for a picture.
    func nextPicture() -> PictureID {
        lastPicture = lastPicture == .max ? 1 : lastPicture + 1
        return PictureID(value: lastPicture)
    }

    func replaceFirstResponder(_ view: View?) { firstResponder = view }

    /// Sets the view below the pointer. Only views that show it cause a frame.
    func setHovered(_ view: View?) {
        guard view !== hoveredView else { return }
        let before = hoveredView
        hoveredView = view
        if before?.showsHover == true || view?.showsHover == true { setNeedsUpdate() }
    }

    // MARK: - Layout and drawing

    /// Requests a frame.
    func setNeedsUpdate() { onNeedsUpdate?() }

    /// Requests a layout and a frame.
    public override func setNeedsLayout() {
        needsLayout = true
        onNeedsUpdate?()
    }

    /// Requests a layout in which a view's `layoutSubviews` is called even if its size does not change.
    func requestLayout(of view: View) {
        if !layoutRequests.contains(where: { $0 === view }) { layoutRequests.append(view) }
        setNeedsLayout()
    }

    /// The largest number of cells of a window. Larger sizes, which a terminal reports only by mistake, are limited.
    static let maximumSize = (width: 2000, cells: 600_000)

    /// Changes the size of the window.
    public func resize(to wanted: GridSize) {
        let width = max(0, min(wanted.width, Window.maximumSize.width))
        let newSize = GridSize(
            width: width,
            height: max(0, min(wanted.height, Window.maximumSize.cells / max(1, width)))
        )
        guard newSize != size else { return }
        let before = traits
        size = newSize
        engine.setSize(width: Double(size.width), height: Double(size.height))
        if traits != before {
            visit { view in
                view.traitsDidChange()
                view.viewController?.traitsDidChange(from: before)
            }
        }
        setNeedsLayout()
    }

    /// Runs a requested layout at once, so that all frames are current.
    public func layoutIfNeeded() {
        for case let menu as MenuLayer in subviews { menu.closeWithoutOpener() }
        // A view may change constraints in `layoutSubviews`, for example a label that wraps. A few rounds suffice; the
        // limit ends a layout that never settles.
        var rounds = 0
        while needsLayout && rounds < 8 {
            rounds += 1
            needsLayout = false
            for change in engine.layout() {
                guard let view = change.item as? View, view !== self, view.window === self else { continue }
                view.layoutSubviews()
                view.viewController?.viewDidLayoutSubviews()
            }
            let requests = layoutRequests
            layoutRequests = []
            for view in requests where view.window === self { view.layoutSubviews() }
        }
        if rounds > 0 && onLayoutProblem != nil { reportProblems() }
        let appeared = awaitingAppearance
        awaitingAppearance = []
        for controller in appeared where controller.viewIfLoaded?.window === self { controller.viewDidAppear() }
        settleFocus()
    }

    /// Lays out and draws the window. `caret` is the position of the hardware cursor, `nil` if it is hidden.
    public func render() -> (buffer: ScreenBuffer, caret: GridPoint?) {
        layoutIfNeeded()
        let canvas = Canvas(size: size)
        render(on: canvas)
        if inspectsLayout { LayoutInspector(window: self).draw(on: canvas) }
        return (canvas.buffer, caretOnScreen)
    }

    private var caretOnScreen: GridPoint? {
        guard let view = firstResponder, let caret = view.caret ?? (showsCursorAtFocus ? view.focusPoint : nil) else {
            return nil
        }
        let point = view.convertToWindow(caret)
        return view.visibleArea.contains(point) ? point : nil
    }

    private func themeDidChange() {
        suitedTheme = baseTheme.suited(to: colorDepth, background: terminalBackground)
        visit { $0.traitsDidChange() }
        setNeedsLayout()
    }

    // MARK: - View hierarchy

    /// Adds a subtree to the layout and notifies its view controllers.
    func subtreeDidEnter(_ view: View) {
        engine.itemAdded(view)
        view.visit { view in
            if let controller = view.viewController {
                controller.viewWillAppear()
                awaitingAppearance.append(controller)
            }
            view.didMoveToWindow()
        }
        setNeedsLayout()
    }

    func subtreeWillLeave(_ view: View) {
        view.visit { $0.viewController?.viewWillDisappear() }
        if let responder = firstResponder, responder.isDescendant(of: view) {
            firstResponder = nil
            responder.focusDidChange()
        }
        engine.itemRemoved(view)
    }

    func subtreeDidLeave(_ view: View) {
        view.visit { view in
            if let controller = view.viewController {
                awaitingAppearance.removeAll { $0 === controller }
                controller.viewDidDisappear()
            }
            view.didMoveToWindow()
        }
        setNeedsLayout()
    }
}

// MARK: - Diagnosing the layout

extension Window {
    /// The problems of the current layout: conflicts, refused constraints and ambiguous positions or sizes.
    public var layoutDiagnostics: [String] {
        layoutIfNeeded()
        return engine.diagnostics.map(\.description) + engine.ambiguities.map(\.description)
    }

    /// Returns the current layout as an SVG document: the views' frames with their types.
    public func layoutSVG() -> String {
        layoutIfNeeded()
        return engine.svg()
    }

    private func reportProblems() {
        let problems = engine.diagnostics.map(\.description)
        for problem in problems where !reportedProblems.contains(problem) { onLayoutProblem?(problem) }
        reportedProblems = Set(problems)
    }
}
