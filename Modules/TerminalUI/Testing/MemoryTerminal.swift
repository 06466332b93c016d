/// A terminal in memory: an application runs on it as on a real one, and a test types and looks at the screen.
@MainActor
public final class MemoryTerminal: TerminalDevice {
    /// Columns and rows now.
    public private(set) var size: Size
    /// What the terminal can do: what it was made with, until other abilities are set.
    public private(set) var capabilities: TerminalCapabilities
    /// The terminal's inside: cells, cursor and modes as the bytes written so far have made them.
    public private(set) var emulator: TerminalEmulator
    /// How many bytes were written.
    public private(set) var bytesWritten = 0
    /// How often something was written: once a frame that changes anything.
    public private(set) var writes = 0
    /// Whether an application has taken it over.
    public private(set) var isStarted = false

    private let modes = TerminalModes()
    private var decoder = InputDecoder()
    private var continuation: AsyncStream<TerminalEvent>.Continuation?

    /// A terminal of a size, with true colour unless told otherwise.
    public init(
        size: Size = Size(width: 80, height: 24),
        capabilities: TerminalCapabilities = TerminalCapabilities(colorDepth: .trueColor)
    ) {
        self.size = size
        self.capabilities = capabilities
        emulator = TerminalEmulator(size: size)
    }

    /// The cells that are shown.
    public var screen: ScreenBuffer { emulator.screen }
    /// The screen as plain text.
    public var text: String { emulator.screen.text }
    /// The cursor's place, nil where it is hidden.
    public var caret: Point? { emulator.isCursorVisible ? emulator.cursor : nil }

    /// Takes it over, with the same bytes as a real one, and tells its events; throws when it is taken already.
    public func start() throws -> AsyncStream<TerminalEvent> {
        guard continuation == nil else { throw TerminalError.alreadyEntered }
        let (stream, continuation) = AsyncStream<TerminalEvent>.makeStream()
        self.continuation = continuation
        isStarted = true
        emulator.feed(modes.enter)
        return stream
    }

    /// Feeds the bytes to the emulator and counts them; nothing while it is not taken over.
    public func write(_ bytes: [UInt8]) {
        guard isStarted, !bytes.isEmpty else { return }
        writes += 1
        bytesWritten += bytes.count
        emulator.feed(bytes)
    }

    /// Gives it back and takes it over again at once, as a process does that is stopped and goes on.
    public func suspend() {
        guard isStarted else { return }
        emulator.feed(modes.leave)
        emulator.feed(modes.enter)
        continuation?.yield(.resumed)
    }

    /// Gives it back and ends the events. Does nothing the second time.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        emulator.feed(modes.leave)
        continuation?.finish()
        continuation = nil
    }

    /// Sends an event as the terminal would.
    public func send(_ event: TerminalEvent) {
        if case .resized(let size) = event {
            self.size = size
            emulator.resize(size)
        }
        continuation?.yield(event)
    }

    /// Sends bytes as a keyboard would; an Escape at the end counts as the key.
    public func send(bytes: some Sequence<UInt8>) {
        for event in decoder.feed(bytes, now: .zero) + decoder.finish() { send(.input(event)) }
    }

    /// Changes what the terminal can do, as answers do.
    public func set(_ capabilities: TerminalCapabilities) {
        self.capabilities = capabilities
    }
}
