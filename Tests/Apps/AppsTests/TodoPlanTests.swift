import Foundation
import TestSupport
import Testing

@Suite("Script mode: views, contexts, settings, time and batches")
struct TodoPlanTests {
    private let app: AppFixture

    init() throws { app = try AppFixture() }

    private func titles(_ arguments: String...) async throws -> [String] {
        let result = try await app.run(arguments + ["--json"])
        let document = try JSONSerialization.jsonObject(with: result.standardOutput) as? [String: Any]
        return (document?["todos"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
    }

    @Test("The built-in views and the saved queries are listed with their numbers, and one of them can be the default")
    func views() async throws {
        for line in ["late due:2020-01-01", "now due:today", "soon due:3d", "far due:60d", "plain +home"] {
            _ = try await app.add(line)
        }
        #expect(try await app.run("todo", "query", "house", "+home").status == 0)
        #expect(
            try await app.run("todo", "view").output == """
                today\t2\tdue<=today or is:active
                next\t2\tdue:today..6d
                review\t0\tmodified<=-30d
                house\t1\t+home

                """
        )
        #expect(try await titles("todo", "view", "today") == ["late", "now"])
        #expect(try await titles("todo", "view", "next") == ["now", "soon"])
        #expect(try await titles("todo", "view", "house") == ["plain"])
        let next = try await app.run("todo", "view", "next").output.split(separator: "\n")
        #expect(next.count == 4 && next[0].count == 10 && next[0].hasPrefix("20"), "headings by day: \(next)")
        let unknown = try await app.run("todo", "view", "nothing")
        #expect(unknown.status == 1 && unknown.errors.contains("`todo view` lists them"))
        // A saved query takes the place of a built-in view.
        #expect(try await app.run("todo", "query", "today", "far").status == 0)
        #expect(try await titles("todo", "view", "today") == ["far"])
        #expect(try await app.run("todo", "query", "today", "--remove").status == 0)
        #expect(try await app.run("config", "set", "view", "today").status == 0)
        #expect(try await titles("todo", "list") == ["late", "now"])
        #expect(try await titles("todo", "list", "--all").count == 5)
        #expect(try await titles("todo", "list", "plain") == ["plain"])
        #expect(try await app.run("config", "set", "view", "nothing").status == 1)
        #expect(try await app.run("config", "set", "view", "house").status == 0)
        #expect(try await app.run("todo", "query", "house", "--remove").status == 0)
        let missing = try await app.run("todo", "list")
        #expect(missing.status == 0 && missing.errors.contains("config.json: view: there is no view \"house\""))
        #expect(try await titles("todo", "list").count == 5)
        // A query has the name that was typed, which can mean nothing else.
        #expect(try await app.run("todo", "query", "@home", "+home").status == 0)
        for words in [["todo", "view", "@home"], ["todo", "list", "--saved", "@home"]] {
            #expect(try await app.run(words).output.contains("plain"))
        }
        for (name, hint) in [("none", "means no view"), ("", "is empty"), (" ", "is empty")] {
            let refused = try await app.run("todo", "query", name, "milk")
            #expect(refused.status == 2 && refused.errors.contains(hint), "\(refused.errors)")
        }
        #expect(try await app.run("config", "set", "view", "none").status == 0)
        #expect(try await titles("todo", "list").count == 5)
    }

    @Test("A context restricts every list, adds its labels to new todos, and ends with none or its query")
    func contexts() async throws {
        _ = try await app.add("office +work")
        _ = try await app.add("garden +home")
        #expect(try await app.run("todo", "context", "work").errors.contains("there is no saved query \"work\""))
        #expect(try await app.run("todo", "query", "work", "+work @desk not +home").status == 0)
        #expect(try await app.run("todo", "context", "work").status == 0)
        #expect(try await app.run("todo", "context").output == "work\t+work @desk not +home\n")
        let call = try await app.todos("todo", "add", "call", "#x").first
        #expect(call?["projects"] as? [String] == ["work"] && call?["contexts"] as? [String] == ["desk"])
        #expect(call?["tags"] as? [String] == ["x"])
        #expect(try await titles("todo", "list") == ["call"])
        #expect(try await app.run("todo", "count").output == "1\n")
        #expect(try await app.run().output.contains("call"))
        #expect(try await titles("todo", "list", "--no-context").count == 3)
        #expect(try await app.run("todo", "view", "review").output.isEmpty)
        #expect(try await app.json("todo", "context")["context"] as? String == "work")
        #expect(try await app.run("todo", "context", "none").status == 0)
        #expect(try await titles("todo", "list").count == 3)
        #expect(try await app.run("todo", "context").output.isEmpty)
        #expect(try await app.run("todo", "context", "work").status == 0)
        #expect(try await app.run("todo", "query", "work", "--remove").status == 0)
        #expect(try await titles("todo", "list").count == 3)
    }

    @Test(
        "Settings are read and written in config.json, whose other members stay; invalid ones are refused with their key"
    )
    func settings() async throws {
        let file = try app.folder.write("{\"other\": [1, null]}", to: ".config/pawkit/config.json")
        for (key, value) in [
            ("sort", "-title"), ("urgency.due", "0.5"), ("urgency.blocked", "-20"), ("sync.interval", "15"),
            ("theme", "blue"), ("picture", "false"), ("draw", "none"), ("remind", "10"), ("pictures.interval", "30"),
            ("breed", "hound/afghan"),
        ] {
            #expect(try await app.run("config", "set", key, value).status == 0)
        }
        #expect(try await app.run("config", "get", "urgency.blocked").output == "-20\n")
        let listed = try await app.run("config", "get").output
        #expect(listed.contains("sort\t-title\nremind\t10\nsync.interval\t15\ndata\t\n"))
        #expect(listed.contains("pictures.interval\t30\n") && listed.hasSuffix("breed\thound/afghan\n"))
        #expect(try await app.run("config", "get", "breed").output == "hound/afghan\n")
        let all = try await app.json("config", "get")["settings"] as? [String: Any]
        #expect(all?["urgency.due"] as? String == "0.5" && all?["view"] is NSNull)
        #expect(
            all?["theme"] as? String == "blue" && all?["draw"] as? String == "none"
                && all?["week"] as? String == "monday"
        )
        _ = try await app.add("a")
        _ = try await app.add("b")
        #expect(try await titles("todo", "list") == ["b", "a"])
        #expect(try await titles("todo", "list", "--sort", "title") == ["a", "b"])
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("\"other\" : ["), "\(text)")
        for (arguments, hint) in [
            (["sort", "titel"], "\"title\""), (["urgency.deu", "1"], "\"urgency.due\""),
            (["urgency.due", "much"], "write a number"), (["urgency.due", "20000"], "10000"),
            (["theme", "pink"], "default, blue"), (["picture", "no"], "true or false"),
            (["week", "2"], "saturday, sunday"),
            (["sync.interval", "-1"], "minutes"), (["sync.interval", "1.5"], "minutes"),
            (["data", "todos"], "the path of a folder"), (["sort"], "KEY and a VALUE"),
        ] {
            let result = try await app.run(["config", "set"] + arguments)
            #expect(result.status == 2 && result.errors.contains(hint), "\(arguments) \(result.errors)")
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        try Data("{\"sort\": 3}".utf8).write(to: file)
        #expect(try await app.run("todo", "list").errors.contains("config.json: sort: write a text"))
        // An invalid setting is replaced, also by its default.
        #expect(try await app.run("config", "set", "sort", "none").errors.isEmpty)
        #expect(try await app.run("todo", "list").errors.isEmpty)
    }

    @Test("The first day of a week decides what next week is, for typed dates and queries; dates follow their format")
    func dates() async throws {
        func date(_ todo: [String: Any]?) throws -> Date {
            try Date("\(try #require(todo?["due"] as? String))T00:00:00Z", strategy: .iso8601)
        }
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        for (first, number) in [("sunday", 1), ("saturday", 7), ("monday", 2)] {
            #expect(try await app.run("config", "set", "week", first).status == 0)
            let next = try await date(app.todos("todo", "add", "\(first) due:next", "week").first)
            #expect(calendar.component(.weekday, from: next) == number, "\(first): \(next)")
            let last = try await app.todos("todo", "edit", app.add("last"), "--due", "eow").first
            #expect(try date(last) == next.addingTimeInterval(-86_400), "the week ends before the next one begins")
            let found = try await app.todos("todo", "list", "due:eow").map { $0["id"] as? String }
            #expect(found.contains(last?["id"] as? String))
        }
    }

    @Test("Work on a todo is started and stopped, its time is added up, and completing stops it")
    func time() async throws {
        let id = try await app.add("write")
        #expect(try await app.todos("todo", "start", id).first?["started"] is String)
        #expect(try await titles("todo", "list", "is:active") == ["write"])
        #expect(try await titles("todo", "view", "today") == ["write"])
        #expect(try await app.run("todo", "show", id, "--urgency").output.contains("  active"))
        #expect(try await app.run("todo", "show", id).output.contains("  time spent: 0 h 0 min\n"))
        let started = try await app.todos("todo", "list").first?["started"] as? String
        #expect(
            try await app.todos("todo", "start", id).first?["started"] as? String == started,
            "it is not started twice"
        )
        #expect(try await app.todos("todo", "stop", id).first?["started"] is NSNull)
        #expect(try await app.run("todo", "annotate", id).status == 2)
        let note = try await app.todos("todo", "annotate", id, "page", "one").first?["note"] as? String
        #expect(note?.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d page one/) != nil, "\(note ?? "")")
        #expect(try await app.run("todo", "undo").output == "undone: edit \"write\"\n")
        #expect(try await app.run("todo", "undo").output == "undone: stop \"write\"\n")
        #expect(try await app.todos("todo", "done", id).first?["started"] is NSNull)
        #expect(try await titles("todo", "list", "is:active").isEmpty)
    }

    @Test("What is overdue or due within a time is listed by its time, and --exit-code reports whether any todo is")
    func due() async throws {
        #expect(try await app.run("todo", "due").status == 0)
        #expect(try await app.run("todo", "due", "--exit-code").status == 1)
        for line in [
            "late due:2020-01-01 9:00", "day due:today", "week due:6d", "far due:60d", "hidden due:today t:1d",
        ] {
            _ = try await app.add(line)
        }
        #expect(try await titles("todo", "due") == ["late", "day"])
        #expect(try await titles("todo", "due", "--upcoming") == ["day"])
        #expect(try await titles("todo", "due", "--within", "1w", "--exit-code") == ["late", "day", "week"])
        _ = try await app.add("soon due:\(app.time(in: 45))")
        #expect(try await !titles("todo", "due", "--within", "15m").contains("soon"))
        #expect(try await titles("todo", "due", "--within", "2h", "--upcoming").contains("soon"))
        for text in ["15", "m", "-1m", "1y"] {
            #expect(try await app.run("todo", "due", "--within=\(text)").status == 2)
        }
    }

    @Test("Todos that are added together are listed in the order of their lines")
    func order() async throws {
        let lines = (1...40).map { "line \($0)" }
        #expect(try await app.run("todo", "add", "-", input: lines.joined(separator: "\n")).status == 0)
        #expect(try await titles("todo", "list") == lines)
    }

    @Test("A template adds its lines with the words of the command, or nothing; a missing one names what is meant")
    func templates() async throws {
        let lines = "# for a week away\npassport\n\n(A) tickets due:2030-03-09 @desk\r\n#cheap snacks\n"
        try app.folder.write(lines, to: ".config/pawkit/templates/packing.txt")
        let trip = try await app.add("trip")
        #expect(try await app.run("todo", "add", "--template", "packing", "+busan", "--parent", trip).status == 0)
        let parts = try await app.todos("todo", "list").filter { $0["parent"] as? String == trip }
        #expect(Set(parts.compactMap { $0["title"] as? String }) == ["passport", "tickets", "snacks"])
        #expect(parts.allSatisfy { $0["projects"] as? [String] == ["busan"] }, "\(parts)")
        #expect(parts.contains { $0["due"] as? String == "2030-03-09" && $0["priority"] as? String == "A" })
        #expect(try await app.run("todo", "names", "templates").output == "packing\n")
        #expect(try await app.run("todo", "undo").status == 0)
        try app.folder.write("one\ntwo due:2030-02-30\n", to: ".config/pawkit/templates/bad.txt")
        for (name, status, hint) in [
            ("pakcing", 1, "did you mean \"packing\"?"), ("../bad", 1, "no template"),
            ("bad", 2, "/templates/bad.txt, line 2: "),
        ] {
            let refused = try await app.run("todo", "add", "--template", name)
            #expect(refused.status == status && refused.errors.contains(hint), "\(refused.errors)")
        }
        for words in [["todo", "add"], ["todo", "add", "--template", "packing", "-"]] {
            #expect(try await app.run(words).errors.contains("needs TEXT"))
        }
        #expect(try await titles("todo", "list") == ["trip"])
    }

    @Test("after: in a line says what a todo waits for, in add and in edit; after:none ends it")
    func after() async throws {
        let (bake, flour) = (try await app.add("bake"), try await app.add("flour"))
        let cake = try await app.add("eat cake after:\(bake.uppercased()) after:\(flour)")
        #expect(try await titles("todo", "list", "is:blocked") == ["eat cake"])
        #expect(try await Set(titles("todo", "list", "is:blocking")) == ["bake", "flour"])
        #expect(try await app.run("todo", "edit", bake, "after:\(cake)").errors.contains("cannot wait for itself"))
        #expect(try await app.run("todo", "add", "x after:zzzz").status == 1)
        #expect(try await app.run("todo", "add", "x after:우유").errors.contains("is not the ID of a todo"))
        #expect(try await app.run("todo", "edit", cake, "after:none after:\(flour)").status == 0)
        #expect(try await titles("todo", "list", "is:blocking") == ["flour"])
    }

    @Test("A todo is edited as text; a bad text opens again with the reason, and one that stays bad is kept in a file")
    func editor() async throws {
        let id = try await app.add("(B) milk +home due:2030-03-09", "--note", "one\n\n# two")
        // Each run takes the next script of the folder; without one the text stays as it is.
        let script = """
            #!/bin/sh
            cp "$2" "\(app.folder.path)/seen"
            echo "$1" > "\(app.folder.path)/flag"
            next=$(ls "\(app.folder.path)"/step.* 2>/dev/null | head -n 1)
            [ -z "$next" ] || { sed -f "$next" "$2" > "$2.new" && mv "$2.new" "$2" && rm "$next"; }

            """
        let program = try app.folder.writeProgram(script, to: "my editor").path
        func edit(_ steps: String...) async throws -> ChildResult {
            for (number, step) in steps.enumerated() { try app.folder.write(step + "\n", to: "step.\(number)") }
            return try await app.run("todo", "edit", id, "--editor", environment: ["VISUAL": "'\(program)' --wait"])
        }
        func seen() throws -> String { try String(contentsOfFile: app.folder.file("seen").path, encoding: .utf8) }
        #expect(try await edit().errors.contains("nothing was changed"))
        #expect(
            try seen().hasSuffix(
                """
                title: milk
                priority: B
                due: 2030-03-09
                project: home
                context:
                tag:
                recurrence:
                threshold:
                list:
                parent:
                after:
                ---
                one

                # two

                """
            )
        )
        let changed = try await edit("s/^title: milk/title: 우유/;s/^tag:/tag: cheap/;/^priority/d")
        #expect(changed.status == 0, "\(changed.errors)")
        let todo = try await app.todos("todo", "list").first
        #expect(todo?["title"] as? String == "우유" && todo?["priority"] as? String == "B")
        #expect(try await edit("s/^priority: B/priority: 1/", "s/^priority: 1/priority: A/").status == 0)
        #expect(try seen().hasPrefix("# ! \"1\" is not a priority"))
        #expect(try await app.todos("todo", "list").first?["priority"] as? String == "A")
        let (parent, first) = (try await app.add("parent"), try await app.add("first"))
        #expect(try await app.run("lists", "add", "work").status == 0)
        let links = try await edit(
            "s/^list:/list: wrok/;s/^parent:/parent: \(parent)/;s/^after:/after: \(first)/",
            "s/wrok/Work/"
        )
        let shown = try seen()
        #expect(links.status == 0 && shown.hasPrefix("# ! there is no list \"wrok\""), "\(links.errors) \(shown)")
        #expect(try await app.run("todo", "edit", first, "--after", parent).status == 0)
        for (links, hint) in [
            ("parent: \(id)", "cannot be its own parent"), ("after: \(id)", "cannot wait for itself"),
        ] {
            let field = links.prefix { $0 != ":" }
            let back = "s/^\(field):.*/\(field): \(field == "parent" ? parent : first)/"
            #expect(try await edit("s/^\(field):.*/\(links)/", back).status == 0)
            #expect(try seen().contains(hint), "the text is opened again, and not lost")
        }
        let linked = try await app.todos("todo", "list").first { $0["id"] as? String == id }
        #expect(linked?["list"] as? String == "work" && linked?["parent"] as? String == parent)
        #expect(try await app.run("todo", "list", "--filter", "is:blocked").output.contains("우유"))
        #expect(try await edit("s/^parent: .*/parent:/;s/^after: .*/after:/;s/^list: .*/list:/").status == 0)
        let alone = try await app.todos("todo", "list").first { $0["id"] as? String == id }
        #expect(alone?["list"] is NSNull && alone?["parent"] is NSNull, "\(String(describing: alone))")
        #expect(try await app.run("todo", "list", "--filter", "is:blocked").output.contains("우유") == false)
        for other in [parent, first] { #expect(try await app.run("todo", "rm", other).status == 0) }
        let bad = try await edit("/^---/d")
        let path = try #require(bad.errors.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) })
        #expect(bad.status == 2 && bad.errors.contains("\"one\" is not a field") && bad.errors.contains(path))
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("title: 우유"))
        try FileManager.default.removeItem(atPath: path)
        // Another change of the same field before it is saved: the text stays in a file.
        let dog = "'\(app.executable.path)' todo edit \(id) bread >&2 && sed -i 's/^title:.*/title: cake/'"
        let conflict = try await app.run("todo", "edit", id, "--editor", environment: ["VISUAL": dog])
        let copy = try #require(conflict.errors.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) })
        #expect(conflict.status == 2 && conflict.errors.contains("title was changed by another process"))
        #expect(try String(contentsOfFile: copy, encoding: .utf8).contains("title: cake"))
        try FileManager.default.removeItem(atPath: copy)
        // What cannot be saved opens again with the reason, too.
        let hook = "#!/bin/sh\ngrep -q cake || exit 0\necho no cake >&2\nexit 1\n"
        try app.folder.writeProgram(hook, to: ".config/pawkit/hooks/change")
        #expect(try await edit("s/^title:.*/title: cake/", "s/cake/rolls/").status == 0)
        #expect(try seen().hasPrefix("# ! no cake (refused by "))
        #expect(try await titles("todo", "list") == ["rolls"])
        try FileManager.default.removeItem(at: app.folder.file(".config/pawkit/hooks"))
        #expect(
            try await app.run("todo", "edit", id, "--editor", environment: ["VISUAL": "false"]).errors.contains(
                "status 1"
            )
        )
        let removed = try await app.run("todo", "edit", id, "--editor", environment: ["VISUAL": "rm"])
        #expect(removed.status == 2 && removed.errors.contains("has removed the file") && !removed.errors.contains("/"))
        #expect(try await app.run("todo", "edit", id, "x", "--editor").status == 2)
        #expect(try await app.run("todo", "batch", input: "edit \(id) --editor").status == 2)
    }

    @Test("A batch makes all its changes as one step, or none of them, and its changes see one another")
    func batch() async throws {
        let (first, second) = (try await app.add("first rec:1w"), try await app.add("second"))
        let third = try await app.add("third", "--after", second)
        let lines = """
            # a comment

            add "Buy 'oat' milk" +home due:fri
            edit \(first) "the first" +work
            done \(first) \(second)
            edit \(second) +later
            done \(third)
            start \(first)
            """
        let result = try await app.run("todo", "batch", "--json", input: lines)
        #expect(result.status == 0, "\(result.errors)")
        let all = try await app.todos("todo", "list", "--all")
        #expect(all.count == 5 && all.contains { $0["title"] as? String == "Buy 'oat' milk" })
        let next = all.filter { $0["title"] as? String == "the first" }
        #expect(next.count == 2 && Set(next.map { $0["done"] as? Bool }) == [true, false])
        #expect(all.allSatisfy { $0["started"] is NSNull }, "a completed todo is not started")
        #expect(all.first { $0["id"] as? String == second }?["projects"] as? [String] == ["later"])
        #expect(try await app.run("todo", "undo").output == "undone: batch of 6 changes\n")
        #expect(try await Set(titles("todo", "list", "--all")) == ["first", "second", "third"])
        #expect(try await app.run("todo", "redo").status == 0)
        #expect(try await titles("todo", "list", "--all").count == 5)
        #expect(try await app.run("todo", "undo").status == 0)
        for (line, hint) in [
            ("rm zzzz", "line 2: there is no todo"), ("undo", "line 2: \"undo\""), ("add \"x", "line 2: a quotation"),
            ("add x due:2026-02-30", "line 2: column 3"), ("done \(third)", "waits for"),
            ("edit \(second) --after \(third)", "line 2: a todo cannot wait for itself"), ("ad x", "line 2"),
            ("add -", "line 2: a line of a batch cannot read"), ("edit \(second) \(third)", "line 2: "),
            ("done \(second)\nundone \(second)\ndone \(third)", "line 4: \(third) waits for \(second)"),
            ("rm \(second)\n\nrm \(second)", "line 4: there is no todo"),
            ("edit \(first) --after \(second)\ndone \(first)", "line 3: \(first) waits for \(second)"),
        ] {
            let refused = try await app.run("todo", "batch", input: "add never\n\(line)\n")
            #expect([1, 2].contains(refused.status) && refused.errors.contains(hint), "\(line): \(refused.errors)")
            if hint.contains("there is no todo") { #expect(refused.status == 1, "as the line alone") }
        }
        // What a line changes applies to the next one.
        for lines in [
            "edit \(third) --after none\ndone \(third)", "edit \(third) --not-after \(second)\ndone \(third)",
            "rm \(second)\ndone \(third)", "done \(third) --force", "edit \(third) --title -",
        ] {
            let result = try await app.run("todo", "batch", input: lines)
            #expect(result.status == 0, "\(lines): \(result.errors)")
            #expect(try await app.run("todo", "undo").status == 0)
        }
        #expect(try await app.run("todo", "batch", "--force", input: "done \(third)").status == 0)
        #expect(try await titles("todo", "list", "--all").count == 3)
    }

    @Test("The JSON export of a store, imported into an empty one, is exported again byte for byte")
    func backup() async throws {
        let (first, second) = (
            try await app.add("(A) one +home @shop #x due:fri 15:00 t:-1d rec:mon,thu 3 times"),
            try await app.add("two")
        )
        #expect(
            try await app.run("todo", "edit", second, "--after", first, "--parent", first, "--note", "a\nb").status == 0
        )
        #expect(try await app.run("todo", "start", second).status == 0)
        #expect(try await app.run("todo", "stop", second).status == 0)
        #expect(try await app.run("todo", "done", first).status == 0)
        #expect(try await app.run("todo", "archive").status == 0)
        let exported = try await app.run("todo", "export", "--format", "json").output
        // A field of a newer program.
        let file = exported.replacing(
            "\"title\" : \"two\"",
            with: "\"later\" : {\"x\" : [1, null]},\n      \"title\" : \"two\""
        )
        #expect(file != exported)
        let other = try AppFixture()
        let path = try other.folder.write(file, to: "backup.json").path
        #expect(try await other.run("todo", "import", "--format", "json", path).status == 0)
        let again = try await other.run("todo", "export", "--format", "json").output
        func todos(_ text: String) throws -> [String: NSDictionary] {
            let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let todos = document?["todos"] as? [NSDictionary] ?? []
            return Dictionary(uniqueKeysWithValues: todos.map { ($0["id"] as? String ?? "", $0) })
        }
        #expect(try todos(again) == todos(file) && todos(again).count == 4)
        let added = try await other.add("new")
        #expect(try todos(file)[added] == nil, "an ID of the backup is never given to another todo")
        #expect(
            try await other.run("todo", "import", "--format", "json", path).output.hasPrefix(
                "0 added, 0 changed, 4 unchanged"
            )
        )
    }
}
