import Foundation
import LocalProvider
import TestSupport
import Testing
import TodoCore

@Suite("Script mode: queries, history, import and export")
struct TodoCommandTests {
    private let app: AppFixture

    init() throws { app = try AppFixture() }

    @Test(
        "The line of `todo add` has fields in English and Korean; options take precedence, --literal takes it as it is"
    )
    func line() async throws {
        _ = try await app.add(
            "(A) 우유 사기 +home +cellar @shop #cheap due:2026-12-01 15:00 rec:1w t:-2d",
            "--priority",
            "C"
        )
        var todo = try #require(try await app.todos("todo", "list", "--all").first)
        #expect(todo["title"] as? String == "우유 사기" && todo["priority"] as? String == "C")
        #expect(todo["projects"] as? [String] == ["home", "cellar"] && todo["tags"] as? [String] == ["cheap"])
        #expect(todo["due"] as? String == "2026-12-01" && todo["time"] as? String == "15:00")
        #expect(todo["threshold"] as? String == "2026-11-29" && todo["recurrence"] as? String == "1w")
        let id = try #require(todo["id"] as? String)
        #expect(try await app.run("todo", "edit", id, "due:none", "t:none", "Buy", "milk").status == 0)
        todo = try #require(try await app.todos("todo", "list").first)
        #expect(todo["title"] as? String == "Buy milk" && todo["due"] is NSNull && todo["threshold"] is NSNull)
        let other = try await app.add("other")
        for word in [other, other.uppercased()] {
            let refused = try await app.run("todo", "edit", id, word, "--due", "fri")
            #expect(refused.status == 2 && refused.errors.contains("--title"), "\(refused.errors)")
        }
        todo = try #require(try await app.todos("todo", "list", "milk").first)
        #expect(todo["title"] as? String == "Buy milk" && todo["due"] is NSNull)
        for words in [[other, "--literal"], ["--title", other], ["about", other]] {
            #expect(try await app.run(["todo", "edit", id] + words).status == 0)
        }
        _ = try await app.add("--literal", "pay +1 due:2026-02-30 +x")
        #expect(try await app.todos("todo", "list").contains { $0["title"] as? String == "pay +1 due:2026-02-30 +x" })
    }

    @Test("An invalid line and an invalid query are printed with a caret, exit with 2, and change nothing")
    func carets() async throws {
        let line = try await app.run("todo", "add", "pay due:2026-02-30")
        #expect(
            line.status == 2 && line.errors.contains("column 5") && line.errors.contains("\n    ^\n"),
            "\(line.errors)"
        )
        let query = try await app.run("todo", "list", "milk deu:fri")
        #expect(
            query.status == 2 && query.errors.contains("did you mean \"due\"") && query.errors.contains("\n     ^\n")
        )
        #expect(try await app.todos("todo", "list", "--all").isEmpty)
    }

    @Test("Lists are filtered, sorted, grouped, nested, and printed by a template")
    func lists() async throws {
        let top = try await app.add("(B) top +home due:2026-12-02")
        let part = try await app.add("part +home", "--parent", top)
        let other = try await app.add("(A) other due:2026-12-01")
        func lines(_ arguments: String...) async throws -> [String] {
            try await app.run(["todo", "list"] + arguments).output.split(
                separator: "\n",
                omittingEmptySubsequences: false
            ).map(String.init)
        }
        #expect(try await lines("--quiet", "--sort", "-due") == [top, other, part, ""])
        #expect(try await lines("--tree", "+home").map { $0.prefix(6) } == ["\(top) [", "  \(part)", ""])
        #expect(try await lines("--format", "{id}\\t{title}", "pri:any") == ["\(other)\tother", "\(top)\ttop", ""])
        #expect(try await lines("--columns", "title,due", "other") == ["other\t2026-12-01", ""])
        #expect(
            try await lines("--group", "project").filter { !$0.contains("[ ]") } == ["+home", "", "no project", ""]
        )
        #expect(try await app.run("todo", "count", "due:any").output == "2\n")
        #expect(try await app.run("todo", "list", "--format", "{titel}").errors.contains("\"title\""))
        let shown = try await app.run("todo", "show", part)
        #expect(shown.output.contains("part of: \(top) top"))
        #expect(try await app.run("todo", "query", "urgent", "pri:A").status == 0)
        #expect(try await lines("--saved", "urgent", "--quiet") == [other, ""])
        #expect(try await app.run("todo", "query", "bad", "(").status == 2)
        #expect(try await app.run("todo", "query").output == "urgent\tpri:A\n")
        // A deleted parent is none, until an undo brings it back.
        for (command, count) in [(["rm", top], 0), (["undo"], 1)] {
            #expect(try await app.run(["todo"] + command).status == 0)
            #expect(try await app.todos("todo", "list", "is:subtask").count == count)
            let parent = try await app.todos("todo", "list", "id:\(part)").first?["parent"] as? String
            #expect(parent == (count == 0 ? nil : top))
            #expect(try await app.run("todo", "show", part).output.contains("part of") == (count == 1))
        }
    }

    @Test("The log names the process; an old version is restored; undo and redo differ in their words")
    func history() async throws {
        let id = try await app.add("milk")
        #expect(try await app.run("todo", "edit", id, "oat milk").status == 0)
        #expect(try await app.run("todo", "rm", id).status == 0)
        let log = try await app.run("todo", "log", id)
        #expect(log.output.contains("Dog[") && log.output.contains("title: \"milk\" -> \"oat milk\""), "\(log.output)")
        #expect(try await app.run("todo", "restore", id, "--change", "1").output.contains("milk"))
        #expect(try await app.run("todo", "undo").output == "undone: restore \"milk\"\n")
        #expect(try await app.run("todo", "redo").output == "redone: restore \"milk\"\n")
        #expect(try await app.run("todo", "restore", id).status == 2)
        #expect(try await app.run("todo", "restore", id, "--change", "99").status == 1)
        let gone = try await app.add("gone")
        #expect(try await app.run("todo", "rm", gone).status == 0)
        #expect(
            try await app.run("todo", "restore", gone, "--change", "99").errors.contains("no change 99 of the todo")
        )

        // Of a change of many todos, the log prints twenty, and the named one in any case.
        let many = (1...22).map { "many \($0)\n" }.joined()
        #expect(try await app.run("todo", "import", "--format", "todotxt", "--quiet", input: many).status == 0)
        let whole = try await app.run("todo", "log", "--limit", "1").output
        #expect(whole.split(separator: "title: none -> \"many ").count == 21 && whole.contains("and 2 more\n"))
        let ids = try await app.run("todo", "list", "--quiet", "many").output.split(separator: "\n").map(String.init)
        let hidden = try #require(ids.first { !whole.contains($0) })
        #expect(try await app.run("todo", "log", hidden).output.contains("\(hidden) title: none -> \"many "))
    }

    @Test(
        "`todo edit ID +home` adds a project, --project replaces all; a change of a running program is undone with --force"
    )
    func editAndUndo() async throws {
        let id = try await app.add("milk +one @shop")
        let edited = try await app.todos("todo", "edit", id, "+home @town #cheap")
        #expect(edited.first?["projects"] as? [String] == ["one", "home"])
        #expect(edited.first?["contexts"] as? [String] == ["shop", "town"])
        let replaced = try await app.todos("todo", "edit", id, "--project", "work")
        #expect(replaced.first?["projects"] as? [String] == ["work"])
        // This process is running, and is not the one that undoes.
        let process = "Dog[\(ProcessInfo.processInfo.processIdentifier)]"
        let store = TodoStore(directory: FileStoreLocation(directory: app.folder.path + "/dog"), process: process)
        _ = try await store.add(TodoChange(title: "from the screen"))
        let refused = try await app.run("todo", "undo")
        #expect(refused.status == 1 && refused.errors.contains(process) && refused.errors.contains("--force"))
        #expect(try await app.run("todo", "undo", "--force").output == "undone: add \"from the screen\"\n")
        #expect(try await app.run("todo", "undo").output == "undone: edit \"milk\"\n")
    }

    @Test("A dry run changes nothing; invalid lines stop an import unless they are skipped; undo takes all of it back")
    func imports() async throws {
        let text = "milk +home\npay due:2026-02-30\nbread"
        let refused = try await app.run("todo", "import", "--format", "todotxt", input: text)
        #expect(refused.status == 2 && refused.errors.contains("line 2, column 5"), "\(refused.errors)")
        let dry = try await app.run("todo", "import", "--format", "todotxt", "--dry-run", "--skip-invalid", input: text)
        #expect(dry.output.contains("2 added") && dry.output.contains("nothing was changed"))
        #expect(try await app.todos("todo", "list").isEmpty)
        let taken = try await app.run("todo", "import", "--format", "todotxt", "--skip-invalid", input: text)
        #expect(taken.status == 1 && taken.output.contains("2 added, 0 changed, 0 unchanged, 1 refused"))
        #expect(try await app.todos("todo", "list").count == 2)
        let again = try await app.run("todo", "import", "-", "--format", "todotxt", input: "milk +home\nbread")
        #expect(again.status == 0 && again.output == "0 added, 0 changed, 2 unchanged, 0 refused\n")
        #expect(try await app.run("todo", "export", "-", "--format", "todotxt").output.contains("milk +home\n"))
        for count in [100, 101] {
            let lines = String(repeating: "pay due:2026-02-30\n", count: count)
            let errors = try await app.run("todo", "import", "--format", "todotxt", input: lines).errors
            #expect(errors.contains("\nand 1 more\n") == (count > 100) && !errors.contains("and 0 more"))
        }
        #expect(try await app.run("todo", "undo").output == "undone: import 2 todos\n")
        #expect(try await app.todos("todo", "list").isEmpty)
        #expect(try await app.run("todo", "import", "nothing.xyz").errors.contains("--format"))
        #expect(try await app.run("todo", "import", "missing.txt").status == 3)
    }

    @Test("`todo --help`, `todo help` and `help todo` print the group's help, and `help todo add` that of the command")
    func help() async throws {
        let group = try await app.run("todo", "--help")
        #expect(group.status == 0 && group.output.contains("Dog todo import") && group.output.contains("Examples:"))
        for arguments in [["help", "todo"], ["todo", "help"]] {
            let result = try await app.run(arguments)
            #expect(result.status == 0 && result.output == group.output)
        }
        #expect(try await app.run("help", "todo", "add").output == app.run("todo", "add", "--help").output)
    }

    @Test("A closed pipe ends a long list quietly")
    func closedPipe() async throws {
        let text = (0..<5_000).map { "todo \($0) with some more words" }.joined(separator: "\n")
        #expect(try await app.run("todo", "import", "--format", "todotxt", "--quiet", input: text).status == 0)
        for prefix in ["", "trap '' PIPE; "] {
            let result = try await ChildProcess.run(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", prefix + "\"$0\" todo list | head -n 1", app.executable.path],
                environment: app.environment
            )
            #expect(
                result.status == 0 && result.errors.isEmpty && result.output.split(separator: "\n").count == 1,
                "\(result)"
            )
        }
    }

    @Test("Shells complete IDs with titles, projects and contexts from the stored todos, and expand nothing in them")
    func completions() async throws {
        let id = try await app.add("Buy milk +home @shop")
        _ = try await app.add("--literal", "a $(touch \(app.folder.path)/pwned) `id`")
        let script = try await app.run("--completions", "bash").output
        try app.folder.write(script, to: "dog.bash")
        func bash(_ words: String) async throws -> [String] {
            let result = try await ChildProcess.run(
                URL(fileURLWithPath: "/bin/bash"),
                [
                    "-c",
                    "source \(app.folder.path)/dog.bash; COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); "
                        + "COMP_TYPE=9; _Dog; printf '%s\\n' \"${COMPREPLY[@]}\"",
                ],
                environment: app.environment
            )
            #expect(result.errors.isEmpty, "\(result.errors)")
            return result.output.split(separator: "\n").map(String.init)
        }
        let dog = app.executable.path
        #expect(try await bash("\(dog) todo done ''").contains(id))
        #expect(try await bash("\(dog) todo done \(id.prefix(3))").contains(id))
        #expect(try await bash("\(dog) todo add x --project h") == ["home"])
        #expect(try await bash("\(dog) todo add x --context ''") == ["shop"])
        let other = try AppFixture()
        let another = try await other.add("another")
        #expect(try await bash("\(dog) --data-dir \(other.folder.path) todo done ''") == [another])
        #expect(try await app.run("lists", "add", "My Work").status == 0)
        #expect(try await bash("\(dog) todo list --in M") == ["My\\ Work"])
        #expect(try await bash("\(dog) todo import --format m") == ["markdown"])
        #expect(try await bash("\(dog) todo list --format m").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: app.folder.path + "/pwned"))
        #expect(try await app.run("todo", "names", "open").output.contains("\(id)\tBuy milk"))
        #expect(try await app.run("todo", "names", "actions").output.contains("todos.new\tnew\n"))
    }

    @Test(
        "fish completes IDs with their titles",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"), "fish is not installed")
    )
    func fish() async throws {
        let id = try await app.add("Buy milk")
        let script = try await app.run("--completions", "fish").output
        try app.folder.write(script, to: "dog.fish")
        let folder = app.executable.deletingLastPathComponent().path
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: "/usr/bin/fish"),
            ["-c", "set PATH \(folder) $PATH; source \(app.folder.path)/dog.fish; complete -C 'Dog todo done '"],
            environment: app.environment
        )
        #expect(result.output.contains("\(id)\tBuy milk"), "\(result)")
    }

    @Test(
        "zsh completes IDs with their titles, and projects",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"), "zsh is not installed")
    )
    func zsh() async throws {
        let id = try await app.add("Buy milk +home")
        _ = try await app.add("walk")
        try app.folder.write(try await app.run("--completions", "zsh").output, to: "_Dog")
        // The completion system runs only in an interactive shell, which needs a terminal.
        let script = """
            zmodload zsh/zpty
            zpty shell 'PROMPT="> " zsh -f -i'
            all=
            await() {
                repeat 400; do
                    while zpty -r -t shell part; do all+=$part; done
                    [[ $all == *$1* ]] && return 0
                    sleep 0.05
                done
                print -r -- "never saw $1 in: $all"
                exit 1
            }
            zpty -w shell "PATH=$2:\\$PATH; fpath=($3 \\$fpath); autoload -Uz compinit; compinit -u -D; echo REA''DY"
            await READY
            zpty -w -n shell $'Dog todo list +x --filter y; Dog todo add x --project h\\t'
            await '--project home'
            zpty -w -n shell $'\\025Dog todo done \\t\\t'
            await 'Buy milk'
            print -r -- "$all"
            """
        let file = try app.folder.write(script, to: "complete.zsh")
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: "/usr/bin/zsh"),
            ["-f", file.path, "shell", app.executable.deletingLastPathComponent().path, app.folder.path],
            environment: app.environment
        )
        #expect(result.status == 0 && result.output.contains("\(id)  -- Buy milk"), "\(result)")
    }

    @Test("The import of a large file counts on a terminal, in one line that is removed, and is one line in a pipe")
    func progress() async throws {
        let lines = (0..<12_000).map { "todo \($0) with a title of some length +project" }
        let file = try app.folder.write(lines.joined(separator: "\n"), to: "todo.txt")
        let piped = try await app.run("todo", "import", "--dry-run", "--quiet", file.path)
        #expect(piped.errors == "importing 12000 todos from \(file.path)\n")
        let terminal = try PseudoTerminal(
            app.executable,
            ["todo", "import", "--quiet", file.path],
            columns: 100,
            environment: app.environment
        )
        defer { terminal.end() }
        #expect(try await terminal.waitForExit() == 0)
        let shown = terminal.text.components(separatedBy: "\r\u{1B}[K")
        #expect(shown.contains("comparing 6000 of 12000 todos from \(file.path)"))
        #expect(shown.contains("storing 11000 of 12000 todos") && shown.contains("saving 12000 todos"))
        #expect(shown.last?.split(whereSeparator: \.isNewline).count == 12_000, "an ID for each")
    }
}
