import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The app as lines (`--plain`), for screen readers and terminals that cannot position their cursor.
///
/// The screens are those of the full screen. After each command the whole screen is printed in reading order, once it has
/// been calm for a moment. What changes later, such as a picture that arrives, is printed with the next command.
extension FullScreen {
    /// How long a screen must be unchanged until it is printed.
    private static let calm = Duration.milliseconds(150)
    /// How long the app waits for a calm screen.
    private static let calmLimit = Duration.seconds(2)

    /// Prints the screens and performs commands until the user quits or the commands end.
    ///
    /// - Parameter commands: the lines of the input.
    /// - Returns: what could not be saved.
    /// - Throws: ``ScriptFailure`` if the output cannot be written, or the task was cancelled.
    func runPlain(_ commands: AsyncStream<String>) async throws(ScriptFailure) -> ScriptResult {
        let language = services.appearance.language
        let session = PlainSession(root: ViewController(), texts: PlainText.session(language))
        let application = session.application
        let screens = launch(in: application)
        _ = await session.start()
        try await printScreen(of: application, and: [PlainText.introduction(language)])
        for await command in commands {
            switch command.split(whereSeparator: \.isWhitespace).joined(separator: " ") {
            // Asks if there is text that is not saved; a second time it quits.
            case "quit": screens.root.requestQuit(code: 0)
            case "help":
                try write(session.texts.help)
                continue
            default: _ = await session.perform(command)
            }
            guard application.isRunning else { break }
            if let problem = session.problem {
                try write([problem])
            } else {
                try await printScreen(of: application)
            }
        }
        // The end of the input leaves no room for a question.
        let unsaved = application.isRunning ? screens.root.unsavedText : []
        application.quit()
        return await finish(screens.root, code: application.endReason?.exitCode ?? 0, unsaved: unsaved)
    }

    /// Prints the screen once it is calm.
    private func printScreen(of application: Application, and more: [String] = []) async throws(ScriptFailure) {
        let clock = ContinuousClock()
        let end = clock.now + Self.calmLimit
        var (lines, since) = (application.window.plainLines, clock.now)
        while application.isRunning, clock.now < end, clock.now - since < Self.calm {
            do { try await Task.sleep(for: .milliseconds(20)) } catch { throw ScriptFailure(.interrupted, nil) }
            let present = application.window.plainLines
            if present != lines { (lines, since) = (present, clock.now) }
        }
        if application.isRunning { try write(lines + more) }
    }

    private func write(_ lines: [String]) throws(ScriptFailure) {
        guard Array((lines.map { $0 + "\n" }.joined() + "> ").utf8).withUnsafeBytes(console.write) else {
            throw ScriptFailure(.data, "standard output cannot be written")
        }
    }
}

/// The texts around the screens of the plain mode.
@MainActor
private enum PlainText {
    static let introduction = LocalizedText("help lists the commands", ko: "help를 입력하면 명령이 나옵니다")

    /// Returns the texts of the commands.
    static func session(_ language: AppLanguage) -> PlainSession.Texts {
        var texts = PlainSession.Texts()
        guard language == .korean else { return texts }
        texts.help = [
            "번호           이 번호의 버튼을 누르거나, 상자를 바꾸거나, 목록을 엽니다",
            "번호 글        이 번호의 입력란을 글로 채웁니다",
            "up, down, enter, escape, tab, ctrl-s, ...    키를 누릅니다",
            "type 글        글을 입력합니다",
            "빈 줄          화면을 다시 읽습니다",
            "help           명령을 보여 줍니다",
            "quit           끝냅니다",
        ]
        texts.unknownCommand = { "\"\($0)\"".with(.topic) + " 명령이 아닙니다. help를 입력하면 명령이 나옵니다" }
        texts.unusedKey = { "여기서는 \($0.with(.object)) 쓰지 않습니다. help를 입력하면 명령이 나옵니다" }
        texts.unknownNumber = { number, largest in
            largest == 0 ? "이 화면에는 번호가 없습니다" : "\(number)번이 없습니다. 번호는 1부터 \(largest)까지입니다"
        }
        texts.noText = { "\($0)번에는 글을 입력할 수 없습니다" }
        return texts
    }
}
