public import TerminalUI

/// Runs an application on a terminal in memory, for tests: send input, then check the screen.
///
///     let app = TestApplication(root: LoginViewController())
///     await app.type("우유\t")
///     #expect(app.text.contains("우유"))
@MainActor
public final class TestApplication {
    /// The terminal.
    public let terminal: MemoryTerminal
    /// The application.
    public let application: Application
    /// The clock; ``advance(by:)`` moves it.
    public let clock: ManualClock
    /// The exit code, once the application has ended.
    public private(set) var exitCode: Int32?

    private var sent = 0
    private var running: Task<Void, Never>?

    /// Creates an application that starts on first use, on a terminal with these capabilities; `nil` for a terminal with
    /// colours of `depth` and without graphics.
    public init(
        root: ViewController,
        size: GridSize = GridSize(width: 80, height: 24),
        depth: ColorDepth = .trueColor,
        theme: Theme = Theme(),
        animations: Bool = false,
        capabilities: TerminalCapabilities? = nil
    ) {
        clock = ManualClock()
        var all = capabilities ?? TerminalCapabilities(colorDepth: depth)
        all.repeatsCharacters = true
        terminal = MemoryTerminal(size: size, capabilities: all)
        application = Application(
            terminal: terminal,
            rootViewController: root,
            theme: theme,
            clock: clock,
            animations: animations
        )
    }

    deinit { running?.cancel() }

    /// The screen as plain text.
    public var text: String { terminal.text }
    /// The visible cells.
    public var screen: ScreenBuffer { terminal.screen }
    /// The position of the cursor; `nil` while it is hidden.
    public var caret: GridPoint? { terminal.caret }

    /// Starts the application if necessary, and waits until all events sent so far are handled and drawn.
    ///
    /// It does not wait for other work, such as a network request: poll a condition on `text` for that.
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

    /// Types text as single keys; "\n", "\t" and "\u{1B}" are Enter, Tab and Escape.
    public func type(_ text: String) async {
        await settle()
        for scalar in text.unicodeScalars { await send(.input(.key(Key(typed: scalar)))) }
    }

    /// Presses keys in order.
    public func press(_ keys: Key...) async {
        await settle()
        for key in keys { await send(.input(.key(key))) }
    }

    /// Presses keys without modifiers in order.
    public func press(_ codes: Key.Code...) async {
        await settle()
        for code in codes { await send(.input(.key(Key(code)))) }
    }

    /// Pastes text.
    public func paste(_ text: String) async { await send(.input(.paste(Paste(text)))) }

    /// Sends an event of the mouse at a cell.
    public func mouse(_ kind: MouseEvent.Kind, at point: GridPoint) async {
        await send(.input(.mouse(MouseEvent(kind, at: point))))
    }

    /// Clicks a cell with the left button.
    public func click(_ point: GridPoint) async {
        await mouse(.down(.left), at: point)
        await mouse(.up(.left), at: point)
    }

    /// Clicks the first occurrence of a text; returns whether the text is on the screen.
    @discardableResult
    public func click(on text: String) async -> Bool {
        await settle()
        guard let point = screen.find(text) else { return false }
        await click(point)
        return true
    }

    /// Presses a button of the mouse at a cell, moves the pointer to other cells and releases the button.
    public func drag(from start: GridPoint, through points: GridPoint...) async {
        await mouse(.down(.left), at: start)
        for point in points { await mouse(.drag(.left), at: point) }
        await mouse(.up(.left), at: points.last ?? start)
    }

    /// Waits until a text is on the settled screen, for work that the application does in other tasks.
    ///
    /// - Throws: ``ScreenTimeout`` with the screen if the text does not appear within the time limit.
    public func wait(for text: String, within limit: Duration = .seconds(10)) async throws {
        try await wait("\"\(text)\"", within: limit) { $0.contains(text) }
    }

    /// Waits until the text of the settled screen meets a condition.
    ///
    /// At most a tenth of a second between two checks counts, so that a busy machine does not exceed the time limit.
    ///
    /// - Throws: ``ScreenTimeout`` with the screen if the condition is not met within the time limit.
    public func wait(
        _ expectation: String = "the condition",
        within limit: Duration = .seconds(10),
        until condition: (String) -> Bool
    ) async throws {
        var waited = Duration.zero
        while true {
            let start = ContinuousClock.now
            await settle()
            if condition(text) { return }
            guard waited < limit else { throw ScreenTimeout(expectation: expectation, screen: text) }
            try await Task.sleep(for: .milliseconds(2))
            waited += min(ContinuousClock.now - start, .milliseconds(100))
        }
    }

    /// Changes the size of the terminal.
    public func resize(_ size: GridSize) async { await send(.resized(size)) }

    /// Sends an event and waits until it is handled and drawn.
    public func send(_ event: TerminalEvent) async {
        await settle()
        sent += 1
        terminal.send(event)
        await settle()
    }

    /// Advances the clock and waits until the resumed work is drawn.
    public func advance(by duration: Duration) async {
        await settle()
        clock.advance(by: duration)
        while clock.isWaking { await Task.yield() }
        await settle()
    }

    /// Ends the application and waits for it.
    public func quit(_ code: Int32 = 0) async {
        await settle()
        application.quit(code)
        await running?.value
    }
}

/// A screen that did not meet an expectation in time.
public struct ScreenTimeout: Error, CustomStringConvertible {
    /// What was expected.
    public let expectation: String
    /// The screen at the end of the time limit, as text.
    public let screen: String

    /// The expectation and the screen.
    public var description: String { "\(expectation) did not appear; the screen is:\n\(screen)" }
}
