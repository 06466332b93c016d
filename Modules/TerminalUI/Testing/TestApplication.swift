/// An application on a terminal in memory, as a test uses it: type, and read the settled screen.
///
///     let app = TestApplication(root: LoginViewController())
///     try await app.type("우유\t")
///     #expect(app.text.contains("우유"))
@MainActor
public final class TestApplication {
    /// The terminal.
    public let terminal: MemoryTerminal
    /// The application.
    public let application: Application
    /// The clock, which stands still until it is moved.
    public let clock: ManualClock
    /// The exit code, once it has ended.
    public private(set) var exitCode: Int32?

    private var sent = 0
    private var running: Task<Void, Never>?

    /// An application of a root view controller, not started; the first use starts it.
    public init(
        root: ViewController,
        size: Size = Size(width: 80, height: 24),
        depth: ColorDepth = .trueColor,
        theme: Theme = Theme(),
        animations: Bool = false
    ) {
        clock = ManualClock()
        terminal = MemoryTerminal(size: size, capabilities: TerminalCapabilities(colorDepth: depth))
        application = Application(
            terminal: terminal,
            rootViewController: root,
            theme: theme,
            clock: clock,
            animations: animations
        )
    }

    isolated deinit { running?.cancel() }

    /// The screen as plain text.
    public var text: String { terminal.text }
    /// The screen.
    public var screen: ScreenBuffer { terminal.screen }
    /// The cursor's place; nil where it is hidden.
    public var caret: Point? { terminal.caret }

    /// Starts, if need be, and waits until all that was sent is handled and drawn.
    ///
    /// What waits for something else, as for a network, is not waited for: poll a condition on `text` for that.
    public func settle() async {
        if running == nil {
            let application = application
            running = Task { [weak self] in
                let code = try? await application.run()
                self?.exitCode = code ?? -1
            }
            while !application.isRunning && exitCode == nil { await Task.yield() }
        }
        var calm = 0
        while calm < 3 && exitCode == nil {
            await Task.yield()
            calm = application.handledEvents >= sent && !application.needsUpdate ? calm + 1 : 0
        }
    }

    /// Types text, as keys one by one; "\n", "\t" and "\u{1B}" are Enter, Tab and Escape.
    public func type(_ text: String) async {
        await settle()
        for scalar in text.unicodeScalars {
            await send(
                .input(
                    .key(
                        scalar.value < 0x20 && scalar != "\u{1B}"
                            ? KeyTable.control(UInt8(scalar.value))
                            : scalar == "\u{1B}" ? Key(.escape) : .character(Character(scalar))
                    )
                )
            )
        }
    }

    /// Presses keys one after the other.
    public func press(_ keys: Key...) async {
        await settle()
        for key in keys { await send(.input(.key(key))) }
    }

    /// Presses keys one after the other.
    public func press(_ codes: Key.Code...) async {
        await settle()
        for code in codes { await send(.input(.key(Key(code)))) }
    }

    /// Pastes a text.
    public func paste(_ text: String) async {
        await send(.input(.paste(Paste(text))))
    }

    /// Clicks a cell with the left button.
    public func click(_ point: Point) async {
        await send(.input(.mouse(MouseEvent(.down(.left), at: point))))
        await send(.input(.mouse(MouseEvent(.up(.left), at: point))))
    }

    /// Clicks where a text stands; returns whether it was to be seen.
    @discardableResult
    public func click(on text: String) async -> Bool {
        await settle()
        guard let point = screen.find(text) else { return false }
        await click(point)
        return true
    }

    /// Gives the terminal another size.
    public func resize(_ size: Size) async {
        await send(.resized(size))
    }

    /// Sends an event and waits until it is handled and drawn.
    public func send(_ event: TerminalEvent) async {
        await settle()
        sent += 1
        terminal.send(event)
        await settle()
    }

    /// Moves the clock and waits until what it woke is drawn.
    public func advance(by duration: Duration) async {
        await settle()
        clock.advance(by: duration)
        for _ in 0..<20 { await Task.yield() }
        await settle()
    }

    /// Ends the application and waits for it.
    public func quit(_ code: Int32 = 0) async {
        await settle()
        application.quit(code)
        await running?.value
    }
}
