import AccountCore
import Foundation
import TestSupport
import Testing
import Threading

@Suite("The account server as a process")
struct AccountServerTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("server") }

    private static func phone(_ number: Int) -> String { "+8210\(10_000_000 + number)" }

    private static func form(_ number: Int) -> [String: String] {
        [
            "phoneNumber": phone(number), "FCMtoken": "", "nick": "user\(number)", "birth": "2001-03-09",
            "email": "user\(number)@example.com", "gender": "other", "id": "loader\(number)",
            "password": "k9-leash!\(number % 10)",
        ]
    }

    /// What a connection of the load test does, and how it ended.
    private struct Work {
        let server: BackendProcess
        let number: Int
        let requests: Int

        /// Signs up and then sends requests; returns a description of the first failure.
        func run(created: (Int) -> Void) -> String? {
            guard let client = BlockingClient(port: server.port) else { return "cannot connect" }
            defer { client.close() }
            let address = ["X-Forwarded-For": "10.0.\(number / 250).\(number % 250)"]
            func send(_ method: String, _ path: String, _ form: [String: String] = [:], _ more: [String: String] = [:])
                -> BlockingClient.Response?
            { client.send(method, path, form, headers: address.merging(more) { $1 }) }

            let phone = AccountServerTests.phone(number)
            guard let request = send("POST", "/verification", ["phoneNumber": phone]), request.status == 200,
                let code = server.code(for: phone)
            else { return "no code" }
            let check = ["request": request["request"] ?? "", "code": code]
            guard let verified = send("POST", "/verification/check", check), let token = verified["idtoken"]
            else { return "not verified" }
            let form = AccountServerTests.form(number)
            guard let account = send("POST", "/user", form, ["idtoken": token]), account.status == 201,
                var access = account["tokens", "access_token"], var refresh = account["tokens", "refresh_token"]
            else { return "no account" }
            created(number)
            for step in 0..<requests {
                let authorization = ["Authorization": "Bearer \(access)"]
                let reply: BlockingClient.Response?
                switch step % 4 {
                case 0: reply = send("GET", "/user", [:], authorization)
                case 1: reply = send("POST", "/user/nickname", ["nick": "n\(step)"], authorization)
                case 2: reply = send("GET", "/queue/onqueue", [:], authorization)
                default:
                    reply = send("POST", "/session/refresh", ["refresh_token": refresh])
                    access = reply?["access_token"] ?? ""
                    refresh = reply?["refresh_token"] ?? ""
                }
                guard reply?.status == 200 else { return "step \(step): \(reply?.status ?? 0)" }
            }
            return nil
        }
    }

    @Test("64 connections sign up and work at the same time without an error, and no account is lost over kill -9")
    func load() async throws {
        var server: BackendProcess? = try await BackendProcess(folder, ["--trust-proxy"])
        let running = try #require(server)
        let created = Locked<Set<Int>>([])
        // First half: everything succeeds.
        let failures = await inParallel(64) { number in
            Work(server: running, number: number, requests: 12).run { number in
                created.withLock { _ = $0.insert(number) }
            }.map { "\(number): \($0)" }
        }.compactMap(\.self)
        #expect(failures.isEmpty, "\(failures.prefix(5))")
        #expect(created.withLock { $0.count } == 64)

        // Second half: the server is killed while 64 connections sign up.
        _ = await inParallel(64) { number in
            Work(server: running, number: 100 + number, requests: 0).run { number in
                let count = created.withLock { numbers in
                    numbers.insert(number)
                    return numbers.count
                }
                if count == 72 { running.kill9() }
            }
        }
        server = nil
        let known = created.withLock { $0 }.sorted()
        #expect(known.count >= 72 && known.count < 128)

        let again = try await BackendProcess(folder, ["--trust-proxy"])
        let lost = await inParallel(known.count) { index -> String? in
            let number = known[index]
            guard let client = BlockingClient(port: again.port) else { return "cannot connect" }
            defer { client.close() }
            let form = Self.form(number)
            let reply = client.send(
                "POST",
                "/session",
                ["id": form["id"] ?? "", "password": form["password"] ?? ""],
                headers: ["X-Forwarded-For": "10.9.0.\(index)"]
            )
            return reply?.status == 200 && reply?["profile", "phone"] == form["phoneNumber"] ? nil : "\(number)"
        }.compactMap(\.self)
        #expect(lost.isEmpty, "lost: \(lost)")
    }

    @Test("The app's service works over the server, and two servers over the same folder have the same accounts")
    func service() async throws {
        let fixture = try AccountFixture()
        let first = try await BackendProcess(folder)
        let second = try await BackendProcess(folder)
        let service = fixture.service(base: first.base)
        #expect(await service.checkVersion() == .current)
        let request = try await service.requestCode(phone: "010-1234-5678")
        #expect(request.message == nil)
        try await service.verify(code: try #require(first.code(for: "+821012345678")))
        let created = try await service.signUp(AccountFixture.form)
        let other = fixture.service(base: second.base)
        let back = try await other.login(id: "jisu2026", password: "k9-leash!")
        #expect(back.value == created.value)
        let attributes = try FileManager.default.attributesOfItem(atPath: first.messages.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("The server requires the version of its option")
    func requiredVersion() async throws {
        let server = try await BackendProcess(folder, ["--required-version", "2.0"])
        let check = await (try AccountFixture()).service(base: server.base).checkVersion()
        #expect(check.outdated?.required == "2.0", "\(check)")
    }

    @Test("The log has a line for each request, without secrets")
    func log() async throws {
        let server = try await BackendProcess(folder, ["--log"])
        let long = try #require(BlockingClient(port: server.port))
        defer { long.close() }
        // More than any request has is not read, and not passed to the accounts.
        #expect(long.send("POST", "/session", ["id": String(repeating: "x", count: 1 << 20)])?.status == 413)
        let client = try #require(BlockingClient(port: server.port))
        defer { client.close() }
        _ = client.send("POST", "/session", ["id": "jisu2026", "password": "k9-leash!"])
        _ = client.send("GET", "/user", headers: ["Authorization": "Bearer pka_secret"])
        let text = try String(contentsOf: server.errors, encoding: .utf8)
        #expect(text == "backend: POST /session 401\nbackend: GET /user 401\n")
    }

    @Test("The address behind a proxy is the last one, without its port, also if the proxy adds a further field")
    func proxy() async throws {
        let server = try await BackendProcess(folder, ["--trust-proxy"])
        let client = try #require(BlockingClient(port: server.port))
        defer { client.close() }
        for address in ["192.0.2.7:PORT", "[2001:db8::PORT]:PORT", "2001:db8:0:1::8"] {
            let statuses = (0..<6).map { number in
                let own = "10.0.0.\(number)\r\n"
                let separator = number.isMultiple(of: 2) ? ", " : "\r\nX-forwarded-For: "
                let last = address.replacing("PORT", with: "\(5_000 + number)")
                return client.send(
                    "POST",
                    "/session",
                    ["id": "nobody\(number)", "password": "other-1!"],
                    headers: ["X-Forwarded-For": own.dropLast() + separator + last]
                )?.status
            }
            #expect(statuses == [401, 401, 401, 401, 401, 429], "\(address)")
        }
    }

    @Test("The server ends soon after SIGTERM, however many requests wait for a hash")
    func ends() async throws {
        let server = try await BackendProcess(folder)
        let (port, process) = (server.port, server.process.processIdentifier)
        let answered = Locked(0)
        async let logins: [Void] = inParallel(160) { number in
            guard let client = BlockingClient(port: port) else { return }
            defer { client.close() }
            let form = ["id": "nobody\(number)", "password": "other-1!"]
            guard client.send("POST", "/session", form) != nil else { return }
            let count = answered.withLock { count in
                count += 1
                return count
            }
            if count == 1 { kill(process, SIGTERM) }
        }
        try await eventually { answered.withLock { $0 } > 0 }
        try await eventually(within: .seconds(6)) { !server.process.isRunning }
        _ = await logins
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
        #expect(answered.withLock { $0 } < 160)
    }

    @Test("A pipe without a reader for the messages does not hold up the server")
    func pipe() async throws {
        mkfifo(folder.file("messages.txt").path, 0o600)
        let server = try await BackendProcess(folder)
        let client = try #require(BlockingClient(port: server.port))
        defer { client.close() }
        #expect(client.send("POST", "/verification", ["phoneNumber": "010-1234-5678"])?.status == 200)
        #expect(try String(contentsOf: server.errors, encoding: .utf8).contains("messages.txt cannot be written"))
    }

    @Test("Accounts that were damaged are reported when the server starts")
    func damage() async throws {
        _ = try TestBackend(folder.path + "/data").signUp()
        let journal = folder.file("data/accounts.journal")
        var bytes = try Data(contentsOf: journal)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: journal)
        let server = try await BackendProcess(folder)
        #expect(try String(contentsOf: server.errors, encoding: .utf8).contains("accounts.journal.damaged"))
    }

    @Test(
        "A fault of the accounts has an error at the client, and the pictures work",
        arguments: [
            "account-500", "account-html", "account-half", "account-nothing", "account-redirect", "account-empty",
        ]
    )
    func faults(rule: String) async throws {
        let server = try await BackendProcess(folder, ["--fault", rule])
        let service = try AccountFixture().service(base: server.base)
        await #expect { try await service.login(id: "jisu2026", password: "k9-leash!") } throws: {
            ($0 as? AccountError)?.isServerProblem == true
        }
        let client = try #require(BlockingClient(port: server.port))
        defer { client.close() }
        #expect(client.send("GET", "/api/breeds/image/random", headers: ["User-Agent": "Dog/0.1.0"])?.status == 200)
    }
}
