/// Runs an application without a screen: it is read as lines and controlled by lines, for screen readers, pipes and
/// terminals that cannot position their cursor.
///
///     let session = PlainSession(root: controller)
///     print(await session.start().joined(separator: "\n"))
///     while !session.hasEnded, let command = readLine() {
///         print(await session.perform(command).joined(separator: "\n"))
///     }
@MainActor
public final class PlainSession {
    /// The application.
    public let application: Application
    /// Whether the user has left.
    public private(set) var hasEnded = false
    /// Why the last command was not performed; `nil` if it was.
    public private(set) var problem: String?
    /// The texts of the session, in English by default.
    public let texts: Texts

    private let offscreen: OffscreenApplication

    /// The texts of a session, which can be translated.
    public struct Texts: Sendable {
        /// The commands, one in a line.
        public var help = [
            "NUMBER          presses the button, toggles the box or opens the list with this number",
            "NUMBER TEXT     replaces the text of the field with this number",
            "up, down, enter, escape, tab, ctrl-s, ...    presses a key",
            "type TEXT       types text",
            "an empty line   repeats the screen",
            "help            lists these commands",
            "quit            leaves",
        ]
        /// Returns that a line is not a command, and what to enter.
        public var unknownCommand: @Sendable (_ line: String) -> String = {
            "\"\($0)\" is not a command; help lists the commands"
        }
        /// Returns that a key has no effect on the screen.
        public var unusedKey: @Sendable (_ key: String) -> String = {
            "\($0) has no effect here; help lists the commands"
        }
        /// Returns that there is no view of a number, and the largest number; 0 if no view has a number.
        public var unknownNumber: @Sendable (_ number: Int, _ largest: Int) -> String = { number, largest in
            largest == 0 ? "there are no numbers here" : "there is no \(number); the numbers are 1 to \(largest)"
        }
        /// Returns that a view of a number takes no text.
        public var noText: @Sendable (_ number: Int) -> String = { "\($0) takes no text" }

        /// Creates the English texts.
        public init() {}
    }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - root: The root view controller.
    ///   - size: The size for which the screen is laid out: a high one shows long lists whole.
    ///   - texts: The texts of the session.
    public init(root: ViewController, size: GridSize = GridSize(width: 100, height: 100), texts: Texts = Texts()) {
        self.texts = texts
        offscreen = OffscreenApplication(root: root, size: size, depth: .none)
        application = offscreen.application
    }

    /// Starts the application and returns its first screen.
    public func start() async -> [String] {
        await offscreen.settle()
        return screen
    }

    /// Performs a command and returns the lines that follow it: the screen, or what is wrong with the command, which is
    /// in ``problem`` as well.
    public func perform(_ command: String) async -> [String] {
        problem = nil
        let words = command.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        guard let first = words.first else { return screen }
        let text = words.count > 1 ? words[1] : nil
        if let number = Int(first) {
            if let problem = act(on: number, text) { return report(problem) }
        } else if first == "help" && text == nil {
            return texts.help
        } else if first == "quit" && text == nil {
            application.quit()
        } else if first == "type", let text {
            for character in text { application.window.dispatch(.key(.character(character))) }
        } else if text == nil, let key = Key(first) {
            if !application.window.dispatch(.key(key)) { return report(texts.unusedKey(first)) }
        } else {
            return report(texts.unknownCommand(String(command.flatMap { Glyph($0).text })))
        }
        await offscreen.settle()
        hasEnded = !application.isRunning
        return hasEnded ? [] : screen
    }

    private var screen: [String] { application.window.plainLines }

    private func report(_ problem: String) -> [String] {
        self.problem = problem
        return [problem]
    }

    /// Acts on a numbered view; returns what is wrong, if anything.
    private func act(on number: Int, _ text: String?) -> String? {
        let window = application.window
        let views = window.plainFocusable
        guard views.indices.contains(number - 1) else { return texts.unknownNumber(number, views.count) }
        let view = views[number - 1]
        view.becomeFirstResponder()
        switch (view, text) {
        case (let field as TextField, let text?):
            field.selectAll()
            _ = field.paste(Paste(text))
        case (let view as TextView, let text?):
            _ = view.keyDown(Key(.character("a"), .alt))
            _ = view.paste(Paste(text))
        case (is TextField, nil), (is TextView, nil), (is ListView, nil), (is CalendarView, nil): break
        case (_, .some): return texts.noText(number)
        default: window.dispatch(.key(Key(.enter)))
        }
        return nil
    }
}
