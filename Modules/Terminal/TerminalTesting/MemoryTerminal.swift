internal import Pictures
public import TerminalUI

/// A terminal in memory, for tests: an application runs on it as on a real terminal.
@MainActor
public final class MemoryTerminal: TerminalDevice {
    /// The number of columns and rows.
    public private(set) var size: GridSize
    /// The terminal's capabilities.
    public private(set) var capabilities: TerminalCapabilities
    /// The emulated state: cells, cursor and modes.
    public private(set) var emulator: TerminalEmulator { didSet { textOfScreen = nil } }
    /// The number of bytes written.
    public private(set) var bytesWritten = 0
    /// The number of writes: one for each frame that changes something.
    public private(set) var writes = 0
    /// Whether an application has entered the terminal.
    public private(set) var isStarted = false

    private let modes = TerminalModes()
    /// The text since the last change: tests that wait for a text read it again and again.
    private var textOfScreen: String?
    private var decoder = InputDecoder()
    private var continuation: AsyncStream<TerminalEvent>.Continuation?

    /// Creates a terminal, by default with 24-bit colours.
    public init(
        size: GridSize = GridSize(width: 80, height: 24),
        capabilities: TerminalCapabilities = TerminalCapabilities(colorDepth: .trueColor)
    ) {
        self.size = size
        self.capabilities = capabilities
        emulator = TerminalEmulator(size: size)
        if let cell = capabilities.cellPixels { emulator.cellPixels = GridSize(width: cell.width, height: cell.height) }
    }

    /// The visible cells.
    public var screen: ScreenBuffer { emulator.screen }
    /// The screen as plain text.
    public var text: String {
        if let textOfScreen { return textOfScreen }
        let text = emulator.screen.text
        textOfScreen = text
        return text
    }
    /// The position of the cursor; `nil` while it is hidden.
    public var caret: GridPoint? { emulator.isCursorVisible ? emulator.cursor : nil }

    /// Enters the terminal with the same bytes as a real one. Throws if it has been entered already.
    public func start() throws(TerminalError) -> AsyncStream<TerminalEvent> {
        guard continuation == nil else { throw .alreadyEntered }
        let (stream, continuation) = AsyncStream<TerminalEvent>.makeStream()
        self.continuation = continuation
        isStarted = true
        emulator.feed(modes.enter)
        return stream
    }

    /// Whether the terminal accepts output; if not, frames are discarded as on a terminal whose output is not read.
    public var isReading = true {
        didSet { if isReading && !oldValue { continuation?.yield(.writable) } }
    }

    /// Feeds bytes to the emulator. Does nothing before `start` and after `stop`.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        guard isStarted, !bytes.isEmpty else { return true }
        guard isReading else { return false }
        writes += 1
        bytesWritten += bytes.count
        emulator.feed(bytes)
        return true
    }

    /// Updates the capabilities from a reply.
    public func handle(_ reply: TerminalReply) { _ = capabilities.update(from: reply) }

    /// Does nothing: no signal ends a terminal in memory.
    public func extendGracePeriod(by duration: Duration) {}

    /// Restores the terminal and enters it again at once, as when a process is stopped and continued.
    public func suspend() {
        guard isStarted else { return }
        emulator.feed(modes.leave)
        emulator.feed(modes.enter)
        continuation?.yield(.resumed)
    }

    /// Restores the terminal and ends the events. A second call does nothing.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        emulator.feed(modes.leave)
        continuation?.finish()
        continuation = nil
    }

    /// Sends an event to the application.
    public func send(_ event: TerminalEvent) {
        if case .resized(let size) = event {
            self.size = size
            emulator.resize(size)
        }
        continuation?.yield(event)
    }

    /// Sends bytes as a keyboard does. An Escape at the end is decoded as the key.
    public func send(bytes: some Sequence<UInt8>) {
        for event in decoder.feed(bytes, now: .zero) + decoder.finish() { send(.input(event)) }
    }
}
