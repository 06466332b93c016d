/// Runs an application without a terminal, for programs that write a screen to a file.
///
///     let screen = OffscreenApplication(root: controller, size: GridSize(width: 80, height: 24))
///     await screen.settle()
///     let svg = screen.buffer.svg()
///
/// Animations are off, and the only input is that of ``type(_:)``. Tests use `TestApplication` of the module TerminalTesting, which emulates a
/// terminal.
@MainActor
public final class OffscreenApplication {
    /// The application, whose window has the given size.
    public let application: Application

    private let terminal: UnconnectedTerminal
    private var running: Task<Void, Never>?
    private var hasEnded = false
    private var typed = 0

    /// Creates an application that starts with the first call of ``settle()``.
    public init(root: ViewController, size: GridSize, depth: ColorDepth = .trueColor, theme: Theme = Theme()) {
        terminal = UnconnectedTerminal(size: size, depth: depth)
        application = Application(terminal: terminal, rootViewController: root, theme: theme, animations: false)
    }

    deinit { running?.cancel() }

    /// The current screen, laid out and drawn.
    public var buffer: ScreenBuffer { application.window.render().buffer }

    /// Starts the application if necessary, and waits until every requested frame is drawn.
    public func settle() async {
        if running == nil {
            let application = application
            running = Task { [weak self] in
                _ = try? await application.run()
                self?.hasEnded = true
            }
            while !application.isRunning && !hasEnded { await Task.yield() }
        }
        var calm = 0
        while calm < 3 && !hasEnded {
            await Task.yield()
            calm = application.handledEvents >= typed && !application.needsUpdate ? calm + 1 : 0
        }
    }

    /// Types text as single keys, and waits until each is handled; "\n", "\t" and "\u{1B}" are Enter, Tab and Escape.
    public func type(_ text: String) async {
        await settle()
        for scalar in text.unicodeScalars where !hasEnded {
            typed += 1
            terminal.send(.input(.key(Key(typed: scalar))))
            await settle()
        }
    }
}

/// A terminal whose output is discarded.
@MainActor
private final class UnconnectedTerminal: TerminalDevice {
    let size: GridSize
    let capabilities: TerminalCapabilities

    private var continuation: AsyncStream<TerminalEvent>.Continuation?

    init(size: GridSize, depth: ColorDepth) {
        self.size = size
        capabilities = TerminalCapabilities(colorDepth: depth)
    }

    func start() throws(TerminalError) -> AsyncStream<TerminalEvent> {
        guard continuation == nil else { throw .alreadyEntered }
        let (stream, continuation) = AsyncStream<TerminalEvent>.makeStream()
        self.continuation = continuation
        return stream
    }

    func send(_ event: TerminalEvent) { continuation?.yield(event) }
    func write(_ bytes: [UInt8]) -> Bool { true }
    func handle(_ reply: TerminalReply) {}
    func extendGracePeriod(by duration: Duration) {}
    func suspend() {}

    func stop() {
        continuation?.finish()
        continuation = nil
    }
}
