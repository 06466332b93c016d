import Foundation
import TestSupport
import Testing

@Suite("Script mode: sync")
struct SyncScriptTests {
    @Test("Without a sync set up, each command says so, and no file is written")
    func notSetUp() async throws {
        let app = try AppFixture()
        #expect(try await app.run("sync").status == 1)
        #expect(try await app.run("sync", "status").output == "no sync is set up\n")
        #expect(try await app.run("sync", "rm").errors.contains("sync add URL"))
        let status = try await app.run("sync", "status", "--json")
        #expect(status.output.contains("\"address\" : null"))
        #expect(try await app.run("sync", "add", "ftp://x", "--user", "dog").status == 2, "no password, no address")
    }

    @Test(
        "Two machines share a list of Radicale; a wrong password is one attempt",
        .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
    )
    func radicale() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        let (one, other) = (try AppFixture(), try AppFixture())
        let milk = try await one.add("Milk due:2026-12-01")
        let wrong = try await one.addSync(to: server, localTo: "Home", password: "wrong")
        #expect(wrong.status == 1 && wrong.errors.contains("password"), "\(wrong.errors)")
        let added = try await one.addSync(to: server, localTo: "Home")
        #expect(added.status == 0 && added.output == "Milk: added on the server\n", "\(added)")
        let joined = try await other.addSync(to: server)
        #expect(joined.output == "Milk: added from the server\n", "\(joined)")
        #expect(try await other.todos("todo", "list").map { $0["list"] as? String } == ["Home"])
        #expect(try await one.run("todo", "done", milk).status == 0)
        #expect(try await one.run("sync", "status").output.contains("waiting: 1\n"))
        #expect(try await one.run("sync", "--quiet").output == "")
        #expect(try await other.run("sync").output == "Milk: changed as on the server\n")
        #expect(try await other.run("todo", "count", "is:done", "--all").output == "1\n")
        #expect(try await other.run("sync").output == "nothing to sync\n")
        #expect(try await other.run("sync", "rm").status == 0)
        #expect(try await other.run("todo", "count", "--all").output == "1\n", "the todos stay")
        let report = try await one.run("doctor")
        #expect(report.output.contains("connected and signed in, 1 list on the server"), "\(report.output)")
        // Another password: what waits is sent after the command that the messages name.
        _ = try await one.add("Bread", "--in", "Home")
        try server.folder.write("dog:other\n", to: "users")
        let command = "`sync add \(server.url.absoluteString) --user dog` replaces the password"
        let refused = try await one.run("sync")
        #expect(refused.status == 1 && refused.errors.contains(command), "\(refused)")
        #expect(try await one.run("sync", "status").output.contains(command))
        let again = try await one.addSync(to: server, password: "other")
        #expect(again.status == 0 && again.output == "Bread: added on the server\n", "\(again)")
        server.stop()
        _ = try await one.add("Tea", "--in", "Home")
        let offline = try await one.run("sync")
        #expect(offline.status == 4, "\(offline.errors)")
        #expect(try await one.run("sync", "status").output.contains("problem: "))
        #expect(try await one.run("doctor").output.contains("connection: "))
        #expect(try await one.run("sync", "rm").output.hasSuffix("; 1 changed or deleted here were not sent\n"))
    }

    @Test(
        "On a terminal the user, the password without echo, the lists and the list of the local todos are asked for",
        .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
    )
    func questions() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        let app = try AppFixture()
        for name in ["Home", "Work", "Garden"] {
            #expect(try await app.addSync(to: server, localTo: name).status == 0)
            #expect(try await app.run("sync", "rm").status == 0)
        }
        _ = try await app.add("Milk")
        let address = server.url.absoluteString
        let terminal = try PseudoTerminal(app.executable, ["sync", "add", address], environment: app.environment)
        for (question, answer) in [
            ("User: ", "dog"), ("Password: ", "secret1"), ("(empty for all): ", "home, Garden, Home"),
            ("stay here): ", "Errands"),
        ] {
            try await terminal.waitForText(question)
            terminal.type(answer + "\r")
        }
        #expect(try await terminal.waitForExit() == 0)
        #expect(terminal.text.contains("Milk: added on the server") && !terminal.text.contains("secret1"))
        let status = try await app.run("sync", "status").output
        #expect(status.contains("lists: Home, Garden, Errands\n") || status.contains("lists: Garden, Home, Errands\n"))
        #expect(try await app.todos("todo", "list").map { $0["list"] as? String } == ["Errands"])
    }

    @Test(
        "The commands speak the language of the user, and their documents always the same",
        .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
    )
    func korean() async throws {
        let app = try AppFixture()
        let server = try await CalDAVServer(.debianRadicale)
        let sync = ["sync", "add", server.url.absoluteString, "--user", "dog"]
        func run(_ arguments: [String], input: String = "") async throws -> ChildResult {
            let environment = ["LC_ALL": nil, "LANG": "ko_KR.UTF-8"] as [String: String?]
            return try await app.run(arguments, input: Data(input.utf8), environment: environment)
        }
        #expect(try await run(["sync", "status"]).output == "동기화가 설정되지 않았습니다\n")
        #expect(try await run(["sync"]).errors.contains("`sync add URL --user USER`로 설정하세요"))
        #expect(try await run(["sync", "add", "ftp://x", "--user", "dog"], input: "x\n").errors.contains("주소가 아닙니다"))
        #expect(try await run(sync).errors.contains("다음 줄에는 비밀번호"))
        #expect(try await run(sync, input: "wrong\n").errors.contains("사용자나 비밀번호를 받아들이지 않습니다. 다시 로그인하세요."))
        let wrong = try await run(sync + ["--list", "Nope", "--local-to", "집"], input: "secret1\n")
        #expect(wrong.errors.contains("서버에 \"Nope\" 목록이 없습니다"), "\(wrong)")
        #expect(try await run(sync + ["--local-to", "none"], input: "secret1\n").status == 2)
        #expect(try await run(sync, input: "secret1\n").errors.contains("서버에 할 일 목록이 없습니다"))
        _ = try await app.add("우유 사기")
        let added = try await run(sync + ["--local-to", "집"], input: "secret1\n")
        #expect(added.output == "우유 사기: 서버에 추가했습니다\n", "\(added)")
        let cat = ["sync", "add", server.url.absoluteString, "--user", "cat"]
        #expect(try await run(cat).errors.contains("이미 동기화가 설정되어 있습니다"))
        #expect(try await run(["sync"]).output == "동기화할 것이 없습니다\n")
        let status = try await run(["sync", "status"]).output
        for line in ["서버: http", "사용자: dog\n", "목록: 집\n", "대기: 0\n", "마지막: "] { #expect(status.contains(line)) }
        let ids = try await ["a", "b", "c"].asyncMap { try await app.add($0, "--in", "집") }
        _ = try await run(["sync"])
        _ = try await app.run(["todo", "rm"] + ids)
        let refused = try await run(["sync"])
        #expect(refused.status == 1 && refused.errors.contains("`sync --allow-deletions`로 지울 수 있습니다"), "\(refused)")
        #expect(refused.output == "" && !refused.errors.contains("동기화할 것이 없습니다"))
        #expect(try await run(["sync", "status"]).output.contains("문제: 여기서 집 목록의 할 일 4개 가운데 3개를 삭제했습니다."))
        let documents = try await [run(["sync", "--json"]).output, app.run("sync", "--json").output]
        #expect(documents[0] == documents[1])
        #expect(try await run(["sync", "--allow-deletions", "--restore-deletions"]).status == 2)
        for document in [documents[0], try await app.run("sync", "status", "--json").output] {
            #expect(document.contains("3 of 4 todos of the list 집 were deleted here"))
        }
        #expect(refused.errors.contains("`sync --restore-deletions`로 되살릴 수 있습니다"))
        #expect(try await run(["sync", "--restore-deletions"]).status == 0)
        #expect(try await run(["sync"]).output == "동기화할 것이 없습니다\n")
        #expect(try await app.run("todo", "count").output == "4\n")
        server.stop()
        let offline = try await run(["sync"])
        #expect(offline.status == 4 && offline.errors.contains("서버에 연결할 수 없습니다."), "\(offline)")
        #expect(try await run(["sync", "status"]).output.contains("문제: 서버에 연결할 수 없습니다."))
        #expect(try await run(["sync", "rm"]).output.contains("동기화를 끝냈습니다"))
        #expect(try await run(sync, input: "secret1\n").errors.contains("주소와 네트워크를 확인하고 다시 시도하세요."))
    }

    @Test(
        "A logout keeps the todos, or removes them from this machine alone",
        .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
    )
    func logout() async throws {
        let app = try AppFixture()
        let server = try await CalDAVServer(.debianRadicale)
        for title in ["Milk", "Eggs", "Rice"] { _ = try await app.add(title) }
        _ = try await app.addSync(to: server, localTo: "Home")
        _ = try await app.run("todo", "rm", try await app.add("Secret plan"))
        #expect(try await app.run("account", "logout").output == "Logged out.\n")
        #expect(try await app.run("todo", "count").output == "3\n")
        let removed = try await app.run("account", "logout", "--remove-todos")
        #expect(removed.output == "Logged out. The todos were removed from this machine.\n", "\(removed)")
        #expect(try await app.run("todo", "count", "--all").output == "0\n")
        #expect(try await app.run("sync", "status").output == "no sync is set up\n")
        let files = FileManager.default.enumerator(at: app.folder.url, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where !file.hasDirectoryPath {
            let bytes = try Data(contentsOf: file)
            for text in ["Milk", "Secret plan"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in \(file.lastPathComponent)")
            }
        }
        let again = try await app.addSync(to: server)
        #expect(again.output.split(separator: "\n").count == 3, "the server has them: \(again)")
    }

    @Test(
        "A sync that is killed at any moment loses nothing and doubles nothing",
        .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
    )
    func killed() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        let (one, other) = (try AppFixture(), try AppFixture())
        for app in [one, other] {
            let added = try await app.addSync(to: server, localTo: "Home")
            #expect(added.status == 0, "\(added)")
        }
        let rounds = isLongRun ? 150 : 12
        _ = try await one.add("first", "--in", "Home")
        let start = ContinuousClock.now
        #expect(try await one.run("sync").status == 0)
        // Each round kills two syncs, from their start to their end. How long one takes changes with the load: a sync that was
        // faster than expected shortens the time in which the next ones are killed.
        var time = (ContinuousClock.now - start) * 1.2
        var kills = 0
        func kill(_ app: AppFixture, _ number: Int) async throws {
            let share = isLongRun ? Double.random(in: 0...1) : Double(number * 37 % 181) / 181
            let isKilled = try await self.kill(app, server, after: time * share)
            time = time * (isKilled ? 1.1 : 0.7)
            if isKilled { kills += 1 }
        }
        var expected = ["first"]
        for round in 0..<rounds {
            let app = round % 3 == 2 ? other : one
            let id = try await app.add("todo \(round)", "--in", "Home")
            let isRemoved = round % 4 == 3
            if round % 4 == 1 { _ = try await app.run("todo", "done", id) }
            try await kill(app, 2 * round)
            if isRemoved { _ = try await app.run("todo", "rm", id) } else { expected.append("todo \(round)") }
            try await kill(app, 2 * round + 1)
        }
        #expect(kills * 3 > rounds, "\(kills) of \(2 * rounds) syncs were killed before their end, within \(time)")
        for app in [one, other, one] {
            let result = try await app.run("sync", "--allow-deletions")
            #expect(result.status == 0, "\(result)")
        }
        // What a new machine reads is what the server has.
        let new = try AppFixture()
        #expect(try await new.addSync(to: server).status == 0)
        let lists = try await [one, other, new].asyncMap { app in
            try await app.run("todo", "list", "--all", "--columns", "title,state,uuid").output.split(separator: "\n")
                .sorted()
        }
        for other in lists.dropFirst() {
            #expect(lists[0] == other, "\(Set(lists[0]).symmetricDifference(other))")
        }
        #expect(lists[0].map { String($0.prefix { $0 != "\t" }) } == expected.sorted())
    }

    /// Starts a sync, kills it, and waits for the requests that the server still works on: what those do after a later sync, no
    /// client can know.
    ///
    /// - Returns: whether it was killed before its end.
    private func kill(_ app: AppFixture, _ server: CalDAVServer, after delay: Duration) async throws -> Bool {
        let process = Process()
        process.executableURL = app.executable
        process.arguments = ["sync", "--quiet", "--allow-deletions"]
        var environment = ProcessInfo.processInfo.environment
        for (name, value) in app.environment { environment[name] = value }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await Task.sleep(for: delay)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try await eventually { !server.hasConnections }
        return process.terminationReason == .uncaughtSignal
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}

extension AppFixture {
    /// Sets up the sync with the account `dog` of a server.
    func addSync(
        to server: CalDAVServer,
        localTo list: String? = nil,
        password: String = "secret1"
    ) async throws -> ChildResult {
        let options = list.map { ["--local-to", $0] } ?? []
        let arguments = ["sync", "add", server.url.absoluteString, "--user", "dog"] + options
        return try await run(arguments, input: Data("\(password)\n".utf8))
    }
}
