import Foundation
import LocalSecrets
import TestSupport
import Testing

@testable import AccountCore

@Suite("Backend: accounts")
struct BackendAccountTests {
    private let folder: TemporaryDirectory
    private let backend: TestBackend

    init() throws {
        folder = try TemporaryDirectory("backend")
        backend = TestBackend(folder.path)
    }

    private let login = ["id": "jisu2026", "password": "k9-leash!"]

    @Test("Sign up, verify, sign in: a form with the idtoken header, status 201")
    func signUp() throws {
        let created = try backend.signUp()
        #expect(created.status == 201 && created["profile", "nickname"] == "지수")
        #expect(backend.send("GET", "/user", token: created.access).status == 200)
        let back = backend.send("POST", "/session", login)
        #expect(back.status == 200 && back["profile", "id"] == "jisu2026")
        #expect(backend.send("GET", "/user", token: back.access).status == 200)
    }

    @Test("Without a verified number there is no account", arguments: ["", "pki_wrong"])
    func unverified(token: String) {
        let headers = token.isEmpty ? [:] : ["idtoken": token]
        let refused = backend.send("POST", "/user", TestBackend.form, headers: headers)
        #expect(refused.status == 403 && refused.error == "not_verified")
    }

    @Test("A verified number is that of the sign-up, for half an hour")
    func otherNumber() throws {
        let token = try backend.verifiedToken("010-1111-2222")
        #expect(backend.send("POST", "/user", TestBackend.form, headers: ["idtoken": token]).status == 403)
        let late = try backend.verifiedToken()
        backend.date.advance(1_800)
        #expect(backend.send("POST", "/user", TestBackend.form, headers: ["idtoken": late]).status == 403)
        // A number that was verified twice has one account.
        let tokens = try (0..<2).map { _ in
            backend.date.advance(30)
            return try backend.verifiedToken()
        }
        for (token, id, status) in [(tokens[0], "jisu2026", 201), (tokens[1], "minji26", 403)] {
            let form = TestBackend.form.merging(["id": id]) { $1 }
            #expect(backend.send("POST", "/user", form, headers: ["idtoken": token]).status == status)
        }
    }

    @Test("A wrong password and an unknown id have the same response")
    func sameResponse() throws {
        _ = try backend.signUp()
        let wrong = backend.send("POST", "/session", ["id": "jisu2026", "password": "other-1!"])
        let unknown = backend.send("POST", "/session", ["id": "nobody99", "password": "other-1!"])
        #expect(wrong.status == 401 && unknown.status == 401)
        #expect(wrong.body == unknown.body)
        #expect(wrong.headers == unknown.headers)
    }

    @Test("A wrong password and an unknown id take the same time", .serialized, arguments: [60])
    func sameTime(tries: Int) throws {
        let backend = TestBackend(folder.path + "/timed") {
            $0.passwordCost = .minimum
            $0.freeAttempts = 1_000_000
        }
        _ = try backend.signUp()
        // Interleaved in both orders, so that the state of the caches meets both.
        var times: [[Duration]] = [[], []]
        let ids = [(0, "jisu2026"), (1, "nobody99")]
        for number in 0..<tries {
            for (index, id) in number.isMultiple(of: 2) ? ids : ids.reversed() {
                let body = ["id": id, "password": "other-1!"]
                times[index].append(processorTime { _ = backend.send("POST", "/session", body) })
            }
        }
        let medians = times.map { $0.sorted()[tries / 2] / .milliseconds(1) }
        #expect(abs(medians[0] - medians[1]) < 5, "milliseconds: \(medians)")
        #expect(medians[1] > 5, "the hash of an unknown account is not computed: \(medians)")
    }

    @Test(
        "A code for a number with an account has the same response; the owner is notified once, and no code verifies it",
        arguments: [31, 4_000]
    )
    func takenNumber(afterSignUp seconds: Int) throws {
        _ = try backend.signUp()
        backend.date.advance(seconds)
        let count = backend.messages.count
        let known = backend.send("POST", "/verification", ["phoneNumber": "010-1234-5678"])
        let unknown = backend.send("POST", "/verification", ["phoneNumber": "010-9999-0000"])
        #expect(known.status == 200 && unknown.status == 200 && known.body.count == unknown.body.count)
        #expect(backend.messages[count].message == .alreadyRegistered)
        backend.date.advance(31)
        #expect(backend.send("POST", "/verification", ["phoneNumber": "010-1234-5678"]).status == 200)
        #expect(backend.messages.count == count + 2, "a second request sends nothing")
        backend.date.advance(3_570)
        #expect(backend.send("POST", "/verification", ["phoneNumber": "010-1234-5678"]).status == 200)
        #expect(backend.messages.count == count + 3, "it is another hour")
        for code in ["000000", "123456"] {
            let check = backend.send("POST", "/verification/check", ["request": known["request"] ?? "", "code": code])
            #expect(check["idtoken"] == nil)
        }
    }

    @Test("A taken id is refused to a verified number only, and a few times only")
    func takenID() throws {
        _ = try backend.signUp()
        let token = try backend.verifiedToken("010-8765-4321")
        let form = TestBackend.form.merging(["phoneNumber": "010-8765-4321"]) { $1 }
        for id in ["jisu2026", "JISU2026", "Jisu2026", "jisU2026", "jiSu2026"] {
            let taken = backend.send("POST", "/user", form.merging(["id": id]) { $1 }, headers: ["idtoken": token])
            #expect(taken.status == 409 && taken.error == "id_taken")
        }
        let other = backend.send("POST", "/user", form.merging(["id": "minji26"]) { $1 }, headers: ["idtoken": token])
        #expect(other.status == 403)
    }

    @Test("An id is compared without case and outer spaces, a password exactly")
    func comparison() throws {
        _ = try backend.signUp()
        #expect(backend.send("POST", "/session", ["id": " JISU2026 ", "password": "k9-leash!"]).status == 200)
        for password in ["K9-leash!", "k9-leash! ", " k9-leash!", "k9-leash"] {
            #expect(backend.send("POST", "/session", ["id": "jisu2026", "password": password]).status == 401)
        }
    }

    @Test(
        "5 and 13 characters and spaces are refused, 6 and 12 are accepted",
        arguments: [
            ("abcd5", false), ("abcde6", true), ("abcdefgh-12c", true), ("abcdefgh-13ch", false), ("abc defg", false),
        ]
    )
    func lengths(text: String, isValid: Bool) throws {
        let id = try backend.signUp(["id": text])
        #expect(id.status == (isValid ? 201 : 422))
        let other = TestBackend(folder.path + "/second")
        let password = try other.signUp(["password": text])
        #expect(password.status == (isValid ? 201 : 422))
        if !isValid { #expect(id["field"] == "id" && password["field"] == "password") }
    }

    @Test("Equal passwords have different hashes, of Argon2id, and no password is in the files")
    func hashes() throws {
        _ = try backend.signUp()
        _ = try backend.signUp(["phoneNumber": "010-8765-4321", "id": "minji26"])
        let journal = String(decoding: try Data(contentsOf: URL(fileURLWithPath: backend.backend.path)), as: UTF8.self)
        let hashes = journal.matches(of: #/"password":"(\$argon2id\$[^"]+)"/#).map { String($0.output.1) }
        #expect(Set(hashes).count == 2)
        #expect(!journal.contains("k9-leash"))
    }

    @Test("Common passwords and the id itself are refused", arguments: ["password1", "jisu2026", "zzzzzzzz"])
    func common(password: String) throws {
        let refused = try backend.signUp(["password": password])
        #expect(refused.status == 422 && refused.error == "common_password")
    }

    /// Logs in with the proof of a challenge.
    private func login(solving reply: TestBackend.Reply, _ form: [String: String], address: String?) async throws -> Int
    {
        let challenge = try #require(reply.challenge)
        let proof = ["challenge": challenge.token, "proof": try await challenge.solved()]
        return backend.send("POST", "/session", form.merging(proof) { $1 }, address: address).status
    }

    @Test("Five failures of an id are free; then each login solves a harder challenge, and its owner is not locked out")
    func challenges() async throws {
        _ = try backend.signUp()
        let wrong = ["id": "jisu2026", "password": "other-1!"]
        // Each try from another address: the account is challenged.
        for number in 0..<5 {
            #expect(backend.send("POST", "/session", wrong, address: "192.0.2.\(number)").status == 401)
        }
        let early = backend.send("POST", "/session", login)
        for failures in 0..<4 {
            let challenged = backend.send("POST", "/session", login, address: "192.0.2.99")
            #expect(challenged.status == 403 && challenged.error == "challenge")
            #expect(challenged.challenge?.bits == min(4 + failures, 6), "each failure adds a bit, up to a limit")
            #expect(try await login(solving: challenged, wrong, address: "192.0.2.98") == 401)
        }
        #expect(try await login(solving: early, login, address: nil) == 403, "it has become too easy")
        // A challenge is valid for one login, of one id, for five minutes, and across processes not at all.
        let first = backend.send("POST", "/session", login, address: nil)
        #expect(try await login(solving: first, ["id": "nobody99", "password": "other-1!"], address: nil) == 401)
        let again = TestBackend(folder.path, date: backend.date)
        let challenge = try #require(first.challenge)
        let proof = ["challenge": challenge.token, "proof": try await challenge.solved()]
        #expect(again.send("POST", "/session", login.merging(proof) { $1 }).status == 403)
        for field in ["challenge", "proof"] {
            #expect(
                backend.send("POST", "/session", login.merging(proof.filter { $0.key != field }) { $1 }).status == 403
            )
        }
        #expect(
            backend.send("POST", "/session", login.merging(["challenge": "1.4.a.b", "proof": "1"]) { $1 }).status == 403
        )
        let late = backend.send("POST", "/session", login)
        backend.date.advance(300)
        #expect(try await login(solving: late, login, address: nil) == 403)
        #expect(try await login(solving: first, login, address: nil) == 403, "it has expired, too")
        let last = backend.send("POST", "/session", login)
        #expect(try await login(solving: last, wrong, address: nil) == 401)
        #expect(try await login(solving: last, login, address: nil) == 403, "it is used up")
        #expect(!(0..<50).contains { LoginChallenge(token: "a", bits: 24).isSolved(by: "\($0)") })
        // The owner solves one, and ends the count.
        #expect(try await login(solving: backend.send("POST", "/session", login), login, address: nil) == 200)
        #expect(backend.send("POST", "/session", login).status == 200)
    }

    @Test("Five failures of an address are free; then its wait doubles, also over a restart, and time ends it")
    func throttling() throws {
        _ = try backend.signUp()
        let address = "192.0.2.50"
        func wrong(_ number: Int) -> [String: String] { ["id": "nobody\(number)", "password": "other-1!"] }
        for number in 0..<5 { #expect(backend.send("POST", "/session", wrong(number), address: address).status == 401) }
        for (number, wait) in [30, 60, 120].enumerated() {
            let refused = backend.send("POST", "/session", login, address: address)
            #expect(refused.status == 429 && refused.headers["Retry-After"] == "\(wait)")
            backend.date.advance(wait - 1)
            #expect(backend.send("POST", "/session", login, address: address).status == 429)
            backend.date.advance(1)
            #expect(backend.send("POST", "/session", wrong(10 + number), address: address).status == 401)
        }
        // The limit survives a restart, and has a maximum.
        let again = TestBackend(folder.path, date: backend.date)
        #expect(again.send("POST", "/session", login, address: address).status == 429)
        backend.date.advance(3_600)
        #expect(again.send("POST", "/session", login, address: address).status == 200)
    }

    @Test("Clients whose address is unknown are not limited by it: the failures of one do not lock out the others")
    func unknownAddresses() throws {
        _ = try backend.signUp()
        for number in 0..<40 {
            let form = ["id": "nobody\(number)", "password": "other-1!"]
            #expect(backend.send("POST", "/session", form, address: nil).status == 401)
            let code = backend.send("POST", "/verification", ["phoneNumber": "010-7000-00\(number + 10)"], address: nil)
            #expect(code.status == 200)
        }
        #expect(backend.send("POST", "/session", login, address: nil).status == 200)
    }

    @Test("Two hours without an attempt end the count of an account and of an address")
    func attemptsExpire() throws {
        _ = try backend.signUp()
        let wrong = ["id": "jisu2026", "password": "other-1!"]
        for _ in 0..<2 {
            for _ in 0..<5 {
                #expect(backend.send("POST", "/session", wrong, address: "198.51.100.1").status == 401)
            }
            backend.date.advance(7_200)
        }
    }

    @Test("A success takes back its own attempt from the count of the address, and no other")
    func ownAttempt() throws {
        _ = try backend.signUp()
        let address = "198.51.100.2"
        func wrong(_ number: Int) -> Int {
            backend.send("POST", "/session", ["id": "nobody\(number)", "password": "other-1!"], address: address).status
        }
        for number in 0..<4 { #expect(wrong(number) == 401) }
        #expect(backend.send("POST", "/session", login, address: address).status == 200)
        #expect(wrong(4) == 401)
        #expect(wrong(5) == 429)
    }

    @Test("A success resets the count of the account")
    func reset() throws {
        _ = try backend.signUp()
        for round in 0..<3 {
            for number in 0..<4 {
                let wrong = ["id": "jisu2026", "password": "other-1!"]
                #expect(backend.send("POST", "/session", wrong, address: "10.0.\(round).\(number)").status == 401)
            }
            #expect(backend.send("POST", "/session", login, address: "10.0.\(round).9").status == 200)
        }
    }

    @Test(
        "An address is limited over all accounts, known or not, however it is written and with all of its 64-bit network",
        arguments: [
            (["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:cb00:7107", "64:ff9b::203.0.113.7"], "::ffff:203.0.113.8"),
            (["2001:db8::7", "2001:DB8:0:0:1::", "2001:db8::ffff:203.0.113.7"], "2001:db8:0:1::7"),
            (["unknown"], "::1"),
        ]
    )
    func addresses(written: [String], other: String) throws {
        _ = try backend.signUp()
        for number in 0..<5 {
            let wrong = ["id": "nobody\(number)", "password": "other-1!"]
            let address = written[number % written.count]
            #expect(backend.send("POST", "/session", wrong, address: address).status == 401)
        }
        for address in written {
            let refused = backend.send("POST", "/session", login, address: address)
            #expect(refused.status == 429 && refused.headers["Retry-After"] == "30")
        }
        #expect(backend.send("POST", "/session", login, address: other).status == 200)
    }

    @Test("Parallel attempts do not exceed the limit")
    func parallelAttempts() async throws {
        _ = try backend.signUp()
        let backend = backend
        let statuses = await inParallel(24) { number in
            let wrong = ["id": "jisu2026", "password": "other-\(number)"]
            return backend.send("POST", "/session", wrong, address: "10.1.0.\(number)").status
        }
        #expect(statuses.count { $0 == 401 } == 5)
        #expect(statuses.count { $0 == 403 } == 19)
    }

    @Test("A sign-up that is repeated after a lost response has the same result, with the right password only")
    func repeated() throws {
        let token = try backend.verifiedToken()
        let first = backend.send("POST", "/user", TestBackend.form, headers: ["idtoken": token])
        let second = backend.send("POST", "/user", TestBackend.form, headers: ["idtoken": token])
        #expect(first.status == 201 && second.status == 201 && first.access != second.access)
        let wrong = TestBackend.form.merging(["password": "other-1!"]) { $1 }
        #expect(backend.send("POST", "/user", wrong, headers: ["idtoken": token]).status == 403)
        #expect(backend.send("GET", "/user", token: first.access).status == 200)
    }

    @Test("A change of the password asks for the old one, ends the other sessions, and the old password fails")
    func changePassword() throws {
        let one = try backend.signUp()
        let two = backend.send("POST", "/session", login)
        let wrong = ["password": "other-1!", "new_password": "new-leash!"]
        #expect(backend.send("PUT", "/user/password", wrong, token: two.access).status == 403)
        let right = ["password": "k9-leash!", "new_password": "new-leash!"]
        let changed = backend.send("PUT", "/user/password", right, token: two.access)
        #expect(changed.status == 200)
        #expect(backend.send("GET", "/user", token: changed.access).status == 200)
        for token in [one.access, two.access] { #expect(backend.send("GET", "/user", token: token).status == 401) }
        #expect(backend.send("POST", "/session/refresh", ["refresh_token": one.refresh ?? ""]).status == 401)
        #expect(backend.send("POST", "/session", login).status == 401)
        #expect(backend.send("POST", "/session", ["id": "jisu2026", "password": "new-leash!"]).status == 200)
    }

    @Test("A withdrawal asks for the password, and removes the data from all files, the tokens and the queue")
    func withdrawal() throws {
        let created = try backend.signUp()
        #expect(backend.send("POST", "/queue", token: created.access).status == 200)
        let wrong = backend.send("POST", "/user/withdraw", ["password": "other-1!"], token: created.access)
        #expect(wrong.status == 403 && wrong.error == "wrong_password")
        let gone = backend.send("POST", "/user/withdraw", ["password": "k9-leash!"], token: created.access)
        #expect(gone.status == 204)
        #expect(backend.send("POST", "/user/withdraw", ["password": "k9-leash!"], token: created.access).status == 401)
        #expect(backend.send("POST", "/session/refresh", ["refresh_token": created.refresh ?? ""]).status == 401)
        #expect(backend.send("POST", "/session", login).status == 401)
        let code = backend.send("POST", "/verification", ["phoneNumber": "010-1234-5678"])
        #expect(code.status == 429, "the limit of codes is not reset")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("accounts") {
            let text = String(decoding: try Data(contentsOf: folder.file(name)), as: UTF8.self)
            for trace in ["지수", "jisu", "1234", "argon2", "2001-03-09", "push-1"] {
                #expect(!text.contains(trace), "\(name) contains \(trace)")
            }
        }
    }

    @Test("The id of a withdrawn account is reserved for thirty days, and the number can be used at once")
    func reservation() throws {
        _ = try backend.signUp()
        backend.date.advance(3_600)
        let back = backend.send("POST", "/session", login)
        #expect(backend.send("POST", "/user/withdraw", ["password": "k9-leash!"], token: back.access).status == 204)
        let journal = String(decoding: try Data(contentsOf: URL(fileURLWithPath: backend.backend.path)), as: UTF8.self)
        #expect(journal.contains("reserved.") && !journal.contains("sent.phone."))
        backend.date.advance(3_600)
        #expect(try backend.signUp().error == "id_taken")
        backend.date.advance(3_600)
        #expect(try backend.signUp(["id": "minji26"]).status == 201)
        backend.date.advance(30 * 86_400 - 7_200)
        #expect(try backend.signUp(["phoneNumber": "010-8765-4321"]).status == 201)
    }

    @Test("A hash with a lower cost is replaced at the next login")
    func rehash() throws {
        _ = try backend.signUp()
        let stronger = TestBackend(folder.path, date: backend.date) { $0.passwordCost = .minimum }
        #expect(stronger.send("POST", "/session", login).status == 200)
        let journal = String(decoding: try Data(contentsOf: URL(fileURLWithPath: backend.backend.path)), as: UTF8.self)
        #expect(journal.contains("m=19456"))
        #expect(stronger.send("POST", "/session", login).status == 200)
    }

    @Test("A request with a wrong method, an unknown path or a large body is refused before any work")
    func refusals() {
        let method = backend.send("DELETE", "/user")
        #expect(method.status == 405 && method.headers["Allow"] == "GET, POST")
        #expect(backend.send("HEAD", "/version").status == 200)
        #expect(backend.send("HEAD", "/session").status == 405)
        #expect(backend.send("GET", "/users").status == 404)
        #expect(backend.send("POST", "/session", ["id": String(repeating: "x", count: 20_000)]).status == 413)
        for body in [[:], ["id": "x"], ["password": "x"]] {
            #expect(backend.send("POST", "/session", body).status == 422)
        }
    }

    @Test("A token for push messages has at most 4,096 bytes, at the sign-up as later")
    func pushTokens() throws {
        let (longest, long) = (String(repeating: "x", count: 4_096), String(repeating: "x", count: 4_097))
        let refused = try backend.signUp(["FCMtoken": long])
        #expect(refused.status == 422 && refused["field"] == "FCMtoken")
        backend.date.advance(30)
        let created = try backend.signUp(["FCMtoken": longest])
        #expect(created.status == 201)
        for (token, status) in [(longest, 204), (long, 422)] {
            let form = ["FCMtoken": token]
            #expect(backend.send("PUT", "/user/update_fcm_token", form, token: created.access).status == status)
        }
    }

    @Test("A password that is not UTF-8 is refused, escaped or not, and is no other password", arguments: [0xE9, 0xFF])
    func malformedPassword(byte: UInt8) throws {
        #expect(try backend.signUp(["password": "caf\u{FFFD}Q7x"]).status == 201)
        for bytes in [Data([byte]), Data("%\(String(byte, radix: 16))".utf8)] {
            let body = Data("id=jisu2026&password=caf".utf8) + bytes + Data("Q7x".utf8)
            let request = BackendRequest(method: "POST", path: "/session", headers: [:], body: body, address: nil)
            #expect(backend.backend.response(to: request).status == 422)
        }
    }

    @Test("Further requests are refused with Retry-After while too many wait for a hash")
    func busy() async throws {
        let backend = TestBackend(folder.path + "/busy") {
            $0.passwordCost = .interactive
            $0.concurrentHashes = 1
            $0.waitingHashes = 1
            $0.freeAttempts = 1_000
        }
        let replies = await inParallel(8) { number in
            backend.send("POST", "/session", ["id": "nobody\(number)", "password": "x"])
        }
        let busy = replies.filter { $0.status == 503 }
        #expect(!busy.isEmpty && busy.allSatisfy { $0.headers["Retry-After"] == "1" })
        #expect(replies.allSatisfy { [401, 503].contains($0.status) })
        backend.backend.close()
        #expect(backend.send("POST", "/session", ["id": "nobody99", "password": "x"]).status == 503)
    }
}

/// Makes calls that block at the same time, each on a separate thread, and returns their results.
func inParallel<Value: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Value) async -> [Value] {
    await withTaskGroup(of: Value.self) { group in
        for number in 0..<count {
            group.addTask {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(returning: work(number)) }
                }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}
