/// Runs a window on a terminal: hands it input, and draws when something has changed.
///
///     let application = Application(terminal: Terminal(), rootViewController: root)
///     exit(try await application.run())
///
/// It waits for events and never polls. However much changes between two turns of the main actor, one frame is drawn.
/// Ctrl-C quits with 130, Ctrl-Z stops the process, Ctrl-L draws everything anew, unless a responder handles them.
@MainActor
public final class Application: Responder {
    /// The window, as large as the terminal.
    public let window: Window
    /// Called when a key reached nobody; returns whether it was handled.
    public var onKey: ((Key) -> Bool)?
    /// Called when the process goes on after a stop.
    public var onResume: (() -> Void)?
    /// Called when a signal asks the process to end, before it does.
    public var onTerminate: (() -> Void)?

    /// How many events of the terminal have been handled.
    public private(set) var handledEvents = 0
    /// Whether something has changed that is not drawn yet.
    public private(set) var needsUpdate = false
    /// Whether it runs.
    public private(set) var isRunning = false

    private let terminal: any TerminalDevice
    private var renderer: ScreenRenderer
    private var exitCode: Int32 = 0

    /// An application on a terminal.
    ///
    /// - Parameters:
    ///   - terminal: where it is shown.
    ///   - rootViewController: what fills the window.
    ///   - theme: the styles by role; without colours, the monochrome theme is taken.
    ///   - clock: the clock of everything timed.
    ///   - animations: whether things move.
    public init(
        terminal: any TerminalDevice,
        rootViewController: ViewController? = nil,
        theme: Theme = Theme(),
        clock: any Clock<Duration> = ContinuousClock(),
        animations: Bool = true
    ) {
        self.terminal = terminal
        window = Window(clock: clock)
        renderer = ScreenRenderer(depth: terminal.capabilities.colorDepth)
        super.init()
        window.application = self
        window.colorDepth = terminal.capabilities.colorDepth
        window.baseTheme = theme
        window.animationsEnabled = animations
        window.onNeedsUpdate = { [weak self] in self?.setNeedsUpdate() }
        window.rootViewController = rootViewController
    }

    /// Takes the terminal over, runs until `quit`, a signal or the terminal's end, and gives the terminal back.
    ///
    /// - Returns: the exit code: the one told to `quit`, 128 and the number of a signal, 129 where the terminal is
    /// gone.
    /// - Throws: `TerminalError` where the terminal cannot be taken over.
    public func run() async throws -> Int32 {
        let events = try terminal.start()
        isRunning = true
        exitCode = 0
        window.resize(to: terminal.size)
        renderer.invalidate()
        update()
        for await event in events {
            handle(event)
            handledEvents += 1
            if !isRunning { break }
        }
        isRunning = false
        terminal.stop()
        window.rootViewController = nil
        return exitCode
    }

    /// Ends `run` with an exit code.
    public func quit(_ code: Int32 = 0) {
        guard isRunning else { return }
        isRunning = false
        exitCode = code
        // Ends the stream of events, also where none is under way.
        terminal.stop()
    }

    /// Asks `onKey` first; then Ctrl-C quits with status 130, Ctrl-Z suspends and Ctrl-L draws everything anew.
    public override func keyDown(_ key: Key) -> Bool {
        if onKey?(key) == true { return true }
        switch key {
        case .control("c"): quit(130)
        case .control("z"): terminal.suspend()
        case .control("l"):
            renderer.invalidate()
            setNeedsUpdate()
        default: return false
        }
        return true
    }

    private func handle(_ event: TerminalEvent) {
        switch event {
        case .input(.reply(let reply)): take(reply)
        case .input(let input): window.dispatch(input)
        case .resized(let size):
            window.resize(to: size)
            renderer.invalidate()
            setNeedsUpdate()
        case .resumed:
            renderer.invalidate()
            onResume?()
            setNeedsUpdate()
        case .terminated(let signal):
            onTerminate?()
            quit(128 + signal)
        case .closed: quit(129)
        }
    }

    private func take(_ reply: TerminalReply) {
        (terminal as? Terminal)?.take(reply)
        if terminal.capabilities.synchronizedOutput == false { renderer.synchronizes = false }
    }

    /// Draws soon, once, however often it is asked for.
    private func setNeedsUpdate() {
        guard !needsUpdate else { return }
        needsUpdate = true
        guard isRunning else { return }
        Task { self.update() }
    }

    private func update() {
        guard isRunning else { return }
        var rounds = 0
        repeat {
            needsUpdate = true
            let frame = window.render()
            needsUpdate = false
            rounds += 1
            terminal.write(renderer.render(frame.buffer, caret: frame.caret))
        } while window.needsLayout && rounds < 3
    }
}
