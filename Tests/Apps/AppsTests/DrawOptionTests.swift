import Foundation
import LoopbackServer
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@Suite("The option --draw")
struct DrawOptionTests {
    @Test(
        "It chooses the protocol of the full screen",
        arguments: [("kitty", EmulatedPicture.Graphics.kitty), ("iterm", .iterm), ("sixel", .sixel)]
    )
    func graphics(name: String, expected: EmulatedPicture.Graphics) async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, columns: 100, rows: 30, arguments: ["--draw", name])
        try await eventually(within: .seconds(20)) { screen.now.pictures.contains { $0.graphics == expected } }
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
        #expect(screen.now.unknown.isEmpty)
    }

    @Test(
        "It chooses the characters of the full screen; by itself the app shows quadrants in 24-bit colours",
        arguments: [
            ("half", "▀"), ("quarter", "▘▝▖▗▌▚"), ("auto", "▘▝▖▗▌▚"), ("ascii", "@%#*+=-:"), ("none", "[picture,"),
        ]
    )
    func characters(name: String, expected: String) async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(
            app,
            columns: 100,
            rows: 30,
            arguments: ["--draw", name],
            environment: ["COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"]
        )
        try await screen.wait(for: "Nothing to do")
        try await eventually(within: .seconds(20)) {
            let text = screen.now.screen.text
            return name == "none" ? text.contains(expected) : text.contains { expected.contains($0) }
        }
        if name != "half" && name != "quarter" && name != "auto" { #expect(!screen.now.screen.text.contains("▀")) }
        if name == "half" { #expect(!screen.now.screen.text.contains { "▘▝▖▗▚".contains($0) }) }
        #expect(screen.now.pictures.isEmpty)
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
    }

    @Test(
        "An unknown value is a usage error that names the values",
        arguments: [[], ["picture"], ["open", "profile"]]
    )
    func unknown(command: [String]) async throws {
        let app = try AppFixture()
        let result = try await app.run(command + ["--draw", "crayon"])
        #expect(result.status == 2)
        #expect(result.errors.contains("auto, kitty, iterm, sixel, half, quarter, ascii, none"))
        #expect(result.errors.contains("crayon"))
    }

    @Test("A script draws in the style of the screen: quadrants in 24-bit colours, half-blocks in 256, or the setting")
    func script() async throws {
        let app = try AppFixture()
        #expect(try await app.run("config", "set", "draw", "none").status == 0)
        #expect(try await app.run("picture").output.contains(" x "), "in words")
        #expect(try await app.run("picture", "--draw", "half").output.contains("▀"), "the option applies")
        #expect(try await app.run("config", "set", "draw", "auto").status == 0)
        let fine = try await app.run(
            ["picture", "--size", "40x20", "--color", "always"],
            environment: ["COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"]
        )
        #expect(fine.output.contains { "▘▝▖▗▌▚".contains($0) })
        let palette = try await app.run(
            ["picture", "--size", "40x20", "--color", "always"],
            environment: ["COLORTERM": "", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]
        )
        #expect(palette.output.contains("▀") && !palette.output.contains { "▘▝▖▗▌▚".contains($0) })
    }

    @Test("A reply of the terminal after the time limit does not reach the shell")
    func lateReply() async throws {
        // The picture is sent after the reply: the command ends later than that.
        let (replied, reply) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { _ in
            for await _ in replied {}
            return ServedResponse(status: 404)
        }
        defer { server.stop() }
        let app = try AppFixture()
        let command = "'\(app.executable.path)' picture --size 20x10; read -r -t 1 -n 1 rest; echo \"REST[$rest]\""
        let terminal = try PseudoTerminal(
            URL(filePath: "/bin/bash"),
            ["--norc", "-c", command],
            environment: app.environment.merging(["PAWKIT_IMAGE_API": server.baseURL]) { $1 }
        )
        defer { terminal.end() }
        try await terminal.waitForText("\u{1B}_Gi=31")
        // The detection has ended when the terminal collects lines and echoes them again.
        try await eventually { terminal.settings[3] & UInt(ICANON) != 0 }
        terminal.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c")
        try await terminal.waitForText("^[[?62;4c")
        reply.finish()
        try await terminal.waitForText("REST[]\r\n", within: .seconds(20))
        #expect(terminal.text.contains("▀") || terminal.text.contains { "▘▝▖▗▌▚".contains($0) })
        #expect(try await terminal.waitForExit() == 0)
    }
}
