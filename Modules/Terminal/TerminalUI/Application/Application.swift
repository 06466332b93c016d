internal import Threading

/// Runs a window on a terminal: dispatches input and draws a frame when something has changed.
///
///     let application = Application(terminal: Terminal(), rootViewController: root)
///     exit(try await application.run())
///
/// The application waits for events and does not poll. All changes between two turns of the main actor are drawn in one
/// frame. Keys that no responder handles have these effects: Ctrl-C quits with status 130, Ctrl-Z suspends the process,
/// Ctrl-L redraws the screen.
@MainActor
public final class Application: Responder {
    /// The window, which has the size of the terminal.
    public let window: Window
    /// Called with keys that no responder has handled. Returns whether the key was handled.
    public var onKey: ((Key) -> Bool)?
    /// The key that shows and hides the layout's frames, constraints and problems over the window; `nil` for none.
    public var inspectionKey: Key?
    /// Called when the process has been continued after a suspension.
    public var onResume: (() -> Void)?
    /// Called once before the application ends, by ``quit(_:)``, by a signal or because the terminal was closed.
    ///
    /// The application ends when the closure returns, but at the latest after ``endTimeLimit``. Until then the window
    /// is drawn and input is ignored, so show what the user is waiting for. Report what could not be completed after
    /// ``run()`` has returned, when the terminal has been restored.
    public var onWillEnd: (@MainActor (EndReason) async -> Void)?
    /// The time limit of ``onWillEnd``, measured by the window's clock.
    public var endTimeLimit = Duration.seconds(5)

    /// The number of terminal events handled so far.
    public private(set) var handledEvents = 0
    /// Whether a change has not been drawn yet.
    public private(set) var needsUpdate = false
    /// Whether the application is running.
    public private(set) var isRunning = false
    /// Why the application is about to end; `nil` before that.
    public private(set) var endReason: EndReason?

    private let terminal: any TerminalDevice
    private var renderer: ScreenRenderer
    private var endTasks: [Task<Void, Never>] = []
    private var hasQueriedGraphics = false

    /// The reason for the end of an application.
    public enum EndReason: Hashable, Sendable {
        /// ``Application/quit(_:)`` was called with an exit code.
        case quit(Int32)
        /// The process received SIGINT, SIGTERM, SIGHUP or SIGQUIT.
        case signal(Int32)
        /// The terminal was closed.
        case terminalClosed

        /// The exit code: that of `quit`, 128 plus the number of the signal, or 129 for a closed terminal.
        public var exitCode: Int32 {
            switch self {
            case .quit(let code): code
            case .signal(let number): 128 + number
            case .terminalClosed: 129
            }
        }
    }

    /// Creates an application on a terminal.
    ///
    /// - Parameters:
    ///   - terminal: The terminal.
    ///   - rootViewController: The view controller that fills the window.
    ///   - theme: The styles by role; ``Theme/monochrome`` replaces it on a terminal without colours.
    ///   - clock: The clock of the window, for timers and animations.
    ///   - animations: Whether animations are shown.
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
        renderer.repeats = terminal.capabilities.repeatsCharacters
        renderer.addressesColumns = terminal.capabilities.addressesColumns
        renderer.controlStringLimit = terminal.capabilities.controlStringLimit
        super.init()
        window.application = self
        window.colorDepth = terminal.capabilities.colorDepth
        window.baseTheme = theme
        window.animationsEnabled = animations
        window.onNeedsUpdate = { [weak self] in self?.setNeedsUpdate() }
        window.rootViewController = rootViewController
    }

    /// Enters the terminal, runs until ``quit(_:)``, a signal or the end of the terminal, and restores the terminal.
    ///
    /// - Returns: The exit code of the ``EndReason``.
    /// - Throws: `TerminalError` if the terminal cannot be entered.
    public func run() async throws(TerminalError) -> Int32 {
        let events = try terminal.start()
        isRunning = true
        endReason = nil
        window.resize(to: terminal.size)
        readCapabilities()
        renderer.invalidate()
        update()
        for await event in events {
            handle(event)
            handledEvents += 1
            if !isRunning { break }
        }
        stop()
        window.rootViewController = nil
        return endReason?.exitCode ?? 0
    }

    /// Restores the terminal, runs something that uses it, such as an editor, and shows the screen again.
    ///
    /// - Parameter body: called on another thread. Its parameter stops this process, for a program that Ctrl-Z has stopped.
    /// - Returns: what `body` returns; `nil` if the application does not run.
    public func lendTerminal<Result: Sendable>(
        _ body: @escaping @Sendable (_ stop: () -> Void) -> Result
    ) async -> Result? {
        guard isRunning, endReason == nil else { return nil }
        let result = Locked<Result?>(nil)
        await terminal.lend { stop in
            let value = body(stop)
            result.withLock { $0 = value }
        }
        return result.withLock { $0 }
    }

    /// Ends ``run()`` with an exit code, after ``onWillEnd``.
    public func quit(_ code: Int32 = 0) { end(.quit(code)) }

    /// Handles keys that no view has handled: `onKey`, then Ctrl-C, Ctrl-Z and Ctrl-L.
    public override func keyDown(_ key: Key) -> Bool {
        if onKey?(key) == true { return true }
        if let inspectionKey, key == inspectionKey {
            window.inspectsLayout.toggle()
            return true
        }
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
        case .input(.reply(let reply)):
            terminal.handle(reply)
            if terminal.capabilities.synchronizedOutput == false { renderer.synchronizes = false }
            readCapabilities()
        case .input(let input):
            if endReason == nil { window.dispatch(input) }
        case .resized(let size):
            window.resize(to: size)
            window.cellAspect = terminal.cellAspect
            // Another size of the font changes the size of the cells.
            if window.graphics != .none { terminal.queryGraphics() }
            redraw()
        case .resumed:
            onResume?()
            redraw()
        case .writable: redraw()
        case .terminated(let signal): end(.signal(signal))
        case .closed: end(.terminalClosed)
        }
    }

    private func readCapabilities() {
        window.terminalBackground = terminal.capabilities.background
        window.cellAspect = terminal.cellAspect
        window.cellPixels = terminal.capabilities.cellPixels
        window.isUnicode = terminal.capabilities.isUnicode
        window.detectedGraphics = terminal.capabilities.graphics
    }

    // MARK: - Ending

    private func end(_ reason: EndReason) {
        guard isRunning, endReason == nil else { return }
        endReason = reason
        guard let onWillEnd else { return stop() }
        terminal.extendGracePeriod(by: endTimeLimit + .seconds(1))
        let clock = window.clock
        let limit = endTimeLimit
        endTasks = [
            Task {
                await onWillEnd(reason)
                self.stop()
            },
            Task {
                guard (try? await clock.pause(for: limit)) != nil else { return }
                self.stop()
            },
        ]
    }

    private func stop() {
        if isRunning { _ = terminal.write(renderer.removePictures()) }
        isRunning = false
        endTasks.forEach { $0.cancel() }
        endTasks = []
        // Ends the stream of events, on which `run` waits.
        terminal.stop()
    }

    // MARK: - Drawing

    /// Writes control strings that do not change the screen, such as a text for the clipboard, except those that are too
    /// long for the terminal.
    func sendOutOfBand(_ strings: [String]) {
        let limit = terminal.capabilities.controlStringLimit
        if isRunning { _ = terminal.write(strings.filter { $0.utf8.count <= limit }.flatMap { Array($0.utf8) }) }
    }

    private func redraw() {
        renderer.invalidate()
        setNeedsUpdate()
    }

    /// Schedules one frame, however often it is called.
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
            // After a frame that the terminal has refused, `writable` redraws the screen.
            _ = terminal.write(renderer.render(frame.buffer, caret: frame.caret))
        } while window.needsLayout && rounds < 3
        if window.wantsGraphics && !hasQueriedGraphics {
            hasQueriedGraphics = true
            terminal.queryGraphics()
        }
    }
}
