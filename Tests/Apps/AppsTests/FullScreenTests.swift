import Foundation
import PictureAPIs
import SystemCalls
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@Suite("The full screen")
struct FullScreenTests {
    @Test(
        "Todos are added, ticked and saved, and the picture beside them has its own colours",
        arguments: AppFixture.FlavourName.allCases
    )
    func life(flavour: AppFixture.FlavourName) async throws {
        let app = try AppFixture(flavour)
        let screen = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        try await screen.wait(for: "▀▀▀▀")
        try await screen.waitForPicture(of: app)
        #expect(try #require(screen.now.screen.find("▀▀▀▀")?.x) > 50)

        try await screen.type("n(A) 우유 사기 @shop\r", waitingFor: "(A) 우유 사기")
        try await screen.type("second\r", waitingFor: "2 open")
        screen.terminal.type("\u{1B}")
        // A lone Escape is known after a moment without a byte; the hint below shows that the list has the focus again.
        try await eventually { !screen.now.isCursorVisible }
        try await screen.type(" ", waitingFor: "1 open, 1 done")
        try await screen.type("u", waitingFor: "2 open, 0 done")
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
        #expect(Set(try await app.todos("todo", "list").compactMap { $0["title"] as? String }) == ["우유 사기", "second"])
    }

    @Test("A todo to wait for is chosen from the menu of the entry, and a paste of lines adds them by Enter")
    func entry() async throws {
        let app = try AppFixture()
        _ = try await app.add("bake bread")
        let screen = try await AppScreen(app, showing: "bake bread")
        try await screen.type("neat it after:br", waitingFor: "after:br")
        // The menu is below the line, with the title of the todo.
        try await eventually { screen.now.screen.text.components(separatedBy: "bake bread").count == 3 }
        try await screen.type("\t\r", waitingFor: "2 open")
        try await screen.wait(for: "⊘")
        try await screen.type("\u{1B}[200~milk\r\neggs\r\n\u{1B}[201~", waitingFor: "Add 2 todos?")
        try await screen.type("\r", waitingFor: "4 open")
        screen.terminal.type("\u{1B}")
        try await eventually { !screen.now.isCursorVisible }
        // The edit of a line ends the wait, and completing the todo asks no more.
        try await screen.type("/eat\r", waitingFor: "1 found")
        try await screen.type("i after:none\r", waitingFor: "Changed: eat it")
        try await screen.type(" ", waitingFor: "Done: eat it")
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
    }

    @Test("A todo that is due soon is announced once: by a bell, by the terminal, and by notify-send; others are not")
    func reminder() async throws {
        let app = try AppFixture()
        let programs = app.folder.path + "/bin"
        let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '\(app.folder.path)/sent'\n"
        try app.folder.writeProgram(script, to: "bin/notify-send")
        _ = try await app.add("<b>우유</b> &\u{301} milk due:\(app.time(in: 10))")
        for (title, minutes) in [("late", -10.0), ("later", 60)] {
            _ = try await app.add("\(title) due:\(app.time(in: minutes))")
        }
        #expect(try await app.run("config", "set", "remind", "15").status == 0)
        let screen = try await AppScreen(app, showing: "late", environment: ["PATH": "\(programs):/usr/bin:/bin"])
        try await eventually { screen.now.notifications.count == 2 }
        let sent = screen.now.notifications
        #expect(
            sent[0].hasPrefix("Dog: <b>우유</b> &\u{301} milk: due ") && sent[1].hasPrefix("notify;Dog;<b>우유</b>"),
            "\(sent)"
        )
        #expect(screen.now.bells == 1)
        let path = app.folder.path + "/sent"
        try await eventually { (try? String(contentsOfFile: path, encoding: .utf8))?.hasSuffix("\n") == true }
        let words = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(
            words.prefix(2) == ["--", "Dog"]
                && words.last?.hasPrefix("&lt;b&gt;우유&lt;/b&gt; &amp;\u{301} milk: due ") == true
        )
        // Another change compares the times again.
        _ = try await app.add("another due:\(app.time(in: 5))")
        try await eventually { screen.now.notifications.count == 4 }
        #expect(screen.now.notifications[2].contains("another"))
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
        // The next start repeats no reminder.
        let next = try await AppScreen(app, showing: "late", environment: ["PATH": "\(programs):/usr/bin:/bin"])
        _ = try await app.add("third due:\(app.time(in: 5))")
        try await eventually { next.now.notifications.count >= 2 }
        #expect(next.now.notifications.count == 2 && next.now.notifications[0].contains("third"))
        #expect(try await next.terminal.waitForExit(typing: "q") == 0)
    }

    @Test("E edits the todo of the details in the user's editor, which has the terminal as under a shell")
    func editor() async throws {
        let app = try AppFixture()
        _ = try await app.add("milk")
        let script =
            "#!/bin/sh\necho \"editing $(head -n 2 $1 | tail -n 1)\"\nread line\nsed \"s/^title:.*/title: $line/\" $1 > $1.new && mv $1.new $1\n"
        let program = try app.folder.writeProgram(script, to: "editor").path
        let screen = try await AppScreen(app, showing: "milk", environment: ["VISUAL": nil, "EDITOR": program])
        func edit(_ title: String) async throws {
            // The notice of a change can be shown before the changed list.
            try await screen.wait(for: "[ ] \(title)")
            try await screen.type("\r", waitingFor: "E edit as text")
            try await screen.type("E", waitingFor: "editing title: \(title)")
            #expect(screen.terminal.settings == screen.settings)
        }
        try await edit("milk")
        try await screen.type("우유\r", waitingFor: "Changed: 우유")
        // An interrupt is for the editor alone, whose status is reported. A second one would end this program otherwise.
        for _ in 1...3 {
            try await edit("우유")
            try await screen.type("\u{3}", waitingFor: "the editor ended with status")
        }
        // A text with a fault opens again, with the reason in the first line.
        try await edit("우유")
        try await screen.type(" \r", waitingFor: "editing # Edit the fields")
        try await screen.type("bread\r", waitingFor: "Changed: bread")
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
        #expect(try await app.todos("todo", "list").first?["title"] as? String == "bread")
    }

    @Test("Another language of the settings shows the same place anew, with the typed line, and is stored")
    func language() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        try await screen.type("nmilk", waitingFor: " milk")
        try await screen.wait(for: "esc list")
        // With the next key behind it, Escape would be Alt.
        try await screen.type("\u{1B}", waitingFor: "n new")
        try await screen.type(",", waitingFor: "of the system")
        // From the check box over the theme to the language, whose list is opened.
        try await screen.type("\t\t\r", waitingFor: "한국어")
        try await screen.type("\u{1B}[B\u{1B}[B\r", waitingFor: "테마")
        try await screen.wait(for: " milk")
        screen.terminal.type("\u{1B}")
        try await eventually { !screen.now.screen.text.contains("테마") }
        // The restored line has the focus.
        try await screen.wait(for: "esc 목록")
        try await screen.type("\u{1B}", waitingFor: "n 새 할 일")
        try await screen.type("q", waitingFor: "끝낼까요?")
        #expect(try await screen.terminal.waitForExit(typing: "\t\r") == 0)

        let next = try await AppScreen(app, showing: "아직 할 일이 없습니다", rows: 30)
        #expect(try await next.terminal.waitForExit(typing: "q") == 0)
    }

    @Test("Another way of drawing of the settings applies to the picture at once")
    func drawing() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, columns: 100, rows: 30)
        try await screen.waitForPicture(of: app)
        try await screen.type(",", waitingFor: "of the system")
        // From the check box over the theme and the language to the way of drawing.
        try await screen.type("\t\t\t\u{1B}[C", waitingFor: "kitty")
        // The panel covers the picture.
        try await screen.terminal.type("\u{1B}", waitingFor: "\u{1B}_Ga=p,")
    }

    @Test(
        "A terminal that cannot be entered is reported with exit status 5",
        .disabled(if: isAddressSanitized, "the sanitizer opens descriptors, too")
    )
    func terminalFailure() async throws {
        let app = try AppFixture()
        // Descriptors for the start of the program, but not for the pipe that the screen needs.
        let terminal = try PseudoTerminal(
            URL(fileURLWithPath: "/bin/bash"),
            [
                "-c",
                "ulimit -n 32; for ((n = 4; n < 32; n++)); do eval \"exec $n</dev/null\"; done; exec \"$0\" --no-animation",
                app.executable.path,
            ],
            environment: app.environment
        )
        defer { terminal.end() }
        #expect(try await terminal.waitForExit() == 5)
        try await eventually { terminal.text.contains("Creating a pipe failed") }
    }

    @Test("On a narrow screen the picture is below the list", arguments: [(60, 30), (40, 24)])
    func narrow(columns: Int, rows: Int) async throws {
        let app = try AppFixture()
        _ = try await app.add("walk the dog")
        let screen = try await AppScreen(app, showing: "▀▀", columns: columns, rows: rows)
        try await screen.wait(for: "walk the dog")
        let buffer = screen.now.screen
        let picture = buffer.find("▀▀")?.y
        let todo = buffer.find("walk the dog")?.y
        #expect(try #require(picture) > #require(todo))
        screen.resize(columns: 100, rows: 30)
        try await eventually {
            let buffer = screen.now.screen
            guard let picture = buffer.find("▀▀"), let todo = buffer.find("walk the dog") else { return false }
            // The rows of the picture begin with the list's frame.
            return picture.x > 60 && picture.x > todo.x && buffer.line(picture.y).hasPrefix("│")
        }
    }

    @Test("A change by another process is seen")
    func otherProcess() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, showing: "Nothing to do", columns: 80)
        let id = try await app.add("from outside")
        #expect(!id.isEmpty)
        try await screen.wait(for: "from outside")
    }

    @Test("Without a network the bundled picture is shown with the reason")
    func offline() async throws {
        let app = try AppFixture()
        // Another test's server could listen at the port of a stopped one.
        let environment = ["PAWKIT_IMAGE_API": "http://127.0.0.1:1"]
        let screen = try await AppScreen(app, showing: "offline", columns: 90, environment: environment)
        try await screen.wait(for: "▀▀▀▀")
    }

    @Test(
        "The terminal is restored however the program ends",
        arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, 0]
    )
    func givenBack(signal: Int32) async throws {
        let app = try AppFixture()
        // The runtime's own report of a crash would ask the terminal whether to look closer, and a sanitizer's would end
        // the program with another status.
        let quiet = [
            "SWIFT_BACKTRACE": "enable=no", "TSAN_OPTIONS": "handle_segv=0", "ASAN_OPTIONS": "handle_segv=0",
        ]
        let screen = try await AppScreen(app, columns: 80, rows: 24, environment: quiet)
        let before = screen.settings
        try await screen.wait(for: "Nothing to do")
        #expect(screen.terminal.settings != before)
        #expect(screen.now.modes.contains(1049))
        if signal == 0 { screen.terminal.type("\u{3}") } else { screen.terminal.signal(signal) }
        let code = try await screen.terminal.waitForExit()
        switch signal {
        case 0: #expect(code == 130)
        case SIGSEGV, SIGABRT: #expect(code == -signal)
        default: #expect(code == 128 + signal || code == -signal)
        }
        try await eventually { !screen.now.modes.contains(1049) }
        #expect(screen.terminal.settings == before)
    }

    @Test("Without colours no colour is sent")
    func noColour() async throws {
        let app = try AppFixture()
        _ = try await app.add("walk the dog")
        let screen = try await AppScreen(app, columns: 80, rows: 24, environment: ["NO_COLOR": "1"])
        try await screen.wait(for: "walk the dog")
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
        let text = screen.terminal.text
        for color in ["\u{1B}[38;", "\u{1B}[48;", ";38;", ";48;"] { #expect(!text.contains(color)) }
    }

    @Test("The keys of keys.json apply, the hint line shows them, and a conflict is reported")
    func keys() async throws {
        let app = try AppFixture()
        _ = try await app.add("walk the dog")
        let json = #"{"todos.toggle": ["v", "space"], "todos.edit": "q", "todos.find": "ctrl-f"}"#
        try app.folder.write(json, to: ".config/pawkit/keys.json")
        // A screenshot shows the same keys.
        let drawing = app.folder.file("list.txt")
        let drawn = try await app.run(
            ["screenshot", drawing.path, "--size", "100x30"],
            environment: ["XDG_CONFIG_HOME": nil]
        )
        #expect(drawn.status == 0, "\(drawn.errors)")
        let refused = try await app.run("screenshot", drawing.path + "/list.txt")
        #expect(refused.status != 0 && refused.errors.contains("make its folder first"), "\(refused)")
        #expect(try String(contentsOf: drawing, encoding: .utf8).contains("v done"))
        let large = try await app.run("screenshot", drawing.path, "--size", "1000x1000")
        #expect(large.status == 2 && large.errors.contains("it has at most 600 rows"), "\(large)")
        let screen = try await AppScreen(app, columns: 100, rows: 30, environment: ["XDG_CONFIG_HOME": nil])
        try await screen.wait(for: "keys.json: q is the key of home.quit and todos.edit")
        try await screen.wait(for: "v done")
        try await screen.wait(for: "ctrl-f find")
        // The keys are shown before the todos are read.
        try await screen.wait(for: "1 open, 0 done")
        try await screen.type("v", waitingFor: "0 open, 1 done")
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
    }

    @Test("The colours of theme.json apply, and an invalid entry is reported while the others apply")
    func theme() async throws {
        let app = try AppFixture()
        let json = ##"{"bar": "#000000 on #FFD75C bold", "eror": "#FF0000"}"##
        try app.folder.write(json, to: ".config/pawkit/theme.json")
        let screen = try await AppScreen(
            app,
            showing: "theme.json: there is no role \"eror\"",
            rows: 30,
            environment: ["XDG_CONFIG_HOME": nil]
        )
        #expect(screen.now.screen[90, 0].style.background == .hex(0xFFD75C))
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
    }

    @Test("With --inspect, F12 shows and hides the frames and constraints of the layout")
    func inspect() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, columns: 100, rows: 30, arguments: ["--inspect"])
        try await screen.wait(for: "Nothing to do")
        try await screen.type("\u{1B}[24~", waitingFor: "no layout problems")
        #expect(screen.now.screen.text.contains("Button"))
        screen.terminal.type("\u{1B}[24~")
        try await eventually { !screen.now.screen.text.contains("no layout problems") }
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)

        let plain = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        try await plain.type("\u{1B}[24~n", waitingFor: "enter accept")
        #expect(!plain.now.screen.text.contains("no layout problems"))
    }

    @Test("Details, calendar, groups and lines work on a terminal: what is edited is stored, with its history")
    func todoScreens() async throws {
        let app = try AppFixture()
        let id = try await app.add("walk +park due:today")
        let screen = try await AppScreen(app, showing: "walk", rows: 30)
        try await screen.type("i @dog\r", waitingFor: "Changed: walk")
        try await screen.type("\r", waitingFor: "contexts: none → dog")
        screen.terminal.type("\u{1B}")
        try await eventually { !screen.now.screen.text.contains("History") }
        try await screen.type("t", waitingFor: "list the day")
        try await screen.type("\r", waitingFor: "1 found, 1 open")
        try await screen.type("b2", waitingFor: "+park  1")
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
        let log = try await app.json("todo", "log", id)
        #expect((log["changes"] as? [Any])?.count == 2)
    }
}
