import Foundation
import TestSupport
import Testing

@Suite("The app as lines", .timeLimit(.minutes(2)))
struct PlainScreenTests {
    private func start(_ app: AppFixture, _ arguments: [String] = [], isFirstStart: Bool = false) async throws
        -> AppScreen
    {
        try await AppScreen(
            app,
            columns: 120,
            rows: 200,
            arguments: ["--plain"] + arguments,
            isFirstStart: isFirstStart
        )
    }

    @Test("The whole way from the tutorial to a todo is printed and controlled as lines, without control sequences")
    func way() async throws {
        let app = try AppFixture()
        let screen = try await start(app, isFirstStart: true)
        try await screen.wait(for: "Todos, typed on one line")
        try await screen.wait(for: "help lists the commands")
        try await screen.type("help\n", waitingFor: "an empty line   repeats the screen")
        try await screen.type("dance wildly\n", waitingFor: "is not a command")
        try await screen.type("n\n", waitingFor: "A dog beside them")
        try await screen.type("n\n", waitingFor: "An account is optional")
        try await screen.type("n\n", waitingFor: "PRESS START")
        try await screen.type("g\n", waitingFor: "== 0 open, 0 done ==")
        screen.terminal.type("n\n")
        screen.terminal.type("type walk the dog\n")
        screen.terminal.type("enter\n")
        try await eventually(within: .seconds(20)) {
            try await app.todos("todo", "list").compactMap { $0["title"] as? String } == ["walk the dog"]
        }
        try await screen.type("escape\n\n", waitingFor: "> [ ] walk the dog")
        #expect(try await screen.terminal.waitForExit(typing: "quit\n") == 0)
        #expect(!screen.terminal.text.contains("\u{1B}"), "lines alone")
    }

    @Test("What is wrong with a command is said in both languages", arguments: ["en_US.UTF-8", "ko_KR.UTF-8"])
    func problems(locale: String) async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(
            app,
            columns: 120,
            rows: 200,
            arguments: ["--plain"],
            environment: ["LC_ALL": locale]
        )
        let isKorean = locale.hasPrefix("ko")
        try await screen.wait(for: isKorean ? "help를 입력하면" : "help lists the commands")
        for (command, english, korean) in [
            ("dance wildly", "\"dance wildly\" is not a command", "\"dance wildly\"는 명령이 아닙니다"),
            ("pageUpp", "\"pageUpp\" is not a command", "\"pageUpp\"는 명령이 아닙니다"),
            ("f7", "f7 has no effect here", "여기서는 f7을 쓰지 않습니다"),
            ("99", "there is no 99; the numbers are 1 to", "99번이 없습니다. 번호는 1부터"),
        ] {
            try await screen.type("\(command)\n", waitingFor: isKorean ? korean : english)
        }
    }

    @Test("quit asks if there is text that is not saved, and quits when it is repeated")
    func quitting() async throws {
        let app = try AppFixture()
        let screen = try await start(app)
        try await screen.wait(for: "help lists the commands")
        try await screen.type("n\ntype milk\nquit\n", waitingFor: "Quit and discard the text?")
        #expect(try await screen.terminal.waitForExit(typing: "quit\n") == 0)
    }

    @Test("At the end of the input, text that is not saved is reported")
    func endOfInput() async throws {
        let app = try AppFixture()
        let screen = try await start(app)
        try await screen.wait(for: "help lists the commands")
        try await screen.type("n\ntype milk\n", waitingFor: "[milk]")
        #expect(try await screen.terminal.waitForExit(typing: "\u{4}") == 3)
        #expect(screen.terminal.text.contains("not saved: typed: milk"))
    }

    @Test("A link opens its place in lines, and on a pipe --plain lists the todos")
    func link() async throws {
        let app = try AppFixture()
        let id = try await app.add("walk the dog")
        let screen = try await start(app, ["open", "profile"])
        try await screen.wait(for: "Files")
        #expect(try await screen.terminal.waitForExit(typing: "quit\n") == 0)
        let piped = try await app.run("--plain")
        #expect(piped.status == 0 && piped.output.contains("walk the dog") && piped.output.contains(id))
    }
}
