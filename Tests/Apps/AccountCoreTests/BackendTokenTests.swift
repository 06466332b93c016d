import AccountCore
import Foundation
import LocalProvider
import TestSupport
import Testing

@Suite("Backend: codes and tokens")
struct BackendTokenTests {
    private let folder: TemporaryDirectory
    private let backend: TestBackend

    init() throws {
        folder = try TemporaryDirectory("backend")
        backend = TestBackend(folder.path)
    }

    private func request(_ phone: String = "010-1234-5678") -> TestBackend.Reply {
        backend.send("POST", "/verification", ["phoneNumber": phone])
    }

    private func check(_ request: TestBackend.Reply, _ code: String?) -> TestBackend.Reply {
        backend.send("POST", "/verification/check", ["request": request["request"] ?? "", "code": code ?? ""])
    }

    private func wrong(_ code: String?) -> String { code == "111111" ? "222222" : "111111" }

    // MARK: Codes

    @Test("A code is wrong, and right at the third try; the third wrong try ends it")
    func tries() throws {
        let first = request()
        let code = backend.lastCode
        for _ in 0..<2 { #expect(check(first, wrong(code)).error == "wrong_code") }
        #expect(check(first, code)["idtoken"] != nil)
        let second = request("010-8765-4321")
        let other = backend.lastCode
        for _ in 0..<2 { #expect(check(second, wrong(other)).error == "wrong_code") }
        #expect(check(second, wrong(other)).error == "code_ended")
        #expect(check(second, other).error == "code_ended")
    }

    @Test("A code that has expired, was used, or belongs to another request is refused")
    func ended() throws {
        let first = request()
        let code = backend.lastCode
        backend.date.advance(599)
        let second = request("010-8765-4321")
        let other = backend.lastCode
        if other != code { #expect(check(second, code).error == "wrong_code") }
        #expect(check(first, code)["idtoken"] != nil)
        #expect(check(first, code).status == 410)
        backend.date.advance(600)
        #expect(check(second, other).status == 410)
        #expect(backend.send("POST", "/verification/check", ["request": "pkv_x", "code": "123456"]).status == 410)
    }

    @Test("Another code is possible after 30 s, ends the first one, and continues its count of wrong tries")
    func resend() throws {
        let first = request()
        let code = backend.lastCode
        for _ in 0..<2 { _ = check(first, wrong(code)) }
        let early = request()
        #expect(early.status == 429 && early.headers["Retry-After"] == "30")
        backend.date.advance(30)
        let second = request()
        let new = backend.lastCode
        #expect(check(first, code).status == 410)
        #expect(check(second, wrong(new)).error == "code_ended")
        #expect(check(second, new).status == 410)
        // The next one begins anew.
        backend.date.advance(30)
        #expect(check(request(), backend.lastCode)["idtoken"] != nil)
    }

    @Test("A number gets five codes an hour, an address twenty a minute")
    func codeLimits() {
        for _ in 0..<5 {
            #expect(request().status == 200)
            backend.date.advance(31)
        }
        #expect(request().status == 429)
        backend.date.advance(3_600)
        for number in 0..<20 { #expect(request("+8210000000\(10 + number)").status == 200) }
        #expect(request("+821000000099").status == 429)
    }

    @Test("Two numbers can be verified at the same time, each with its own code")
    func otherNumber() {
        let first = request()
        let code = backend.lastCode
        let second = request("010-8765-4321")
        let other = backend.lastCode
        #expect(check(second, other)["idtoken"] != nil)
        #expect(check(first, code)["idtoken"] != nil)
    }

    @Test("Of parallel verifications of one code, one succeeds")
    func parallelCodes() async {
        let (first, backend) = (request(), backend)
        let code = backend.lastCode ?? ""
        let form = ["request": first["request"] ?? "", "code": code]
        let statuses = await inParallel(8) { _ in backend.send("POST", "/verification/check", form).status }
        #expect(statuses.count { $0 == 200 } == 1, "\(statuses)")
    }

    @Test("A code is stored as a hash, and the tokens of requests and numbers as well")
    func storedCodes() throws {
        let first = request()
        let code = try #require(backend.lastCode)
        let identity = try #require(check(first, code)["idtoken"])
        let journal = String(decoding: try Data(contentsOf: URL(fileURLWithPath: backend.backend.path)), as: UTF8.self)
        for secret in [code, identity, first["request"] ?? "-"] { #expect(!journal.contains("\"\(secret)")) }
        #expect(!journal.contains("pki_") && !journal.contains("pkv_"))
    }

    // MARK: Tokens

    @Test("A token that is missing, malformed, expired or revoked: 401 with WWW-Authenticate, and no detail")
    func refused() throws {
        let created = try backend.signUp()
        let token = try #require(created.access)
        var replies = [
            backend.send("GET", "/user"), backend.send("GET", "/user", token: "pka_x"),
            backend.send("GET", "/user", token: token + "x"), backend.send("GET", "/user", token: created.refresh),
            backend.send("GET", "/user", headers: ["authorization": "Basic \(token)"]),
        ]
        backend.date.advance(900)
        replies.append(backend.send("GET", "/user", token: token))
        let second = backend.send("POST", "/session/refresh", ["refresh_token": created.refresh ?? ""])
        #expect(backend.send("DELETE", "/session", token: second.access).status == 204)
        replies.append(backend.send("GET", "/user", token: second.access))
        for reply in replies {
            #expect(reply.status == 401 && reply.headers["WWW-Authenticate"] == "Bearer realm=\"account\"")
            #expect(reply.body == replies[0].body)
        }
    }

    @Test("A token is valid until its expiry, to the second")
    func boundary() throws {
        let created = try backend.signUp()
        backend.date.advance(899)
        #expect(backend.send("GET", "/user", token: created.access).status == 200)
        backend.date.advance(1)
        #expect(backend.send("GET", "/user", token: created.access).status == 401)
        backend.date.advance(30 * 86_400 - 901)
        let fresh = backend.send("POST", "/session/refresh", ["refresh_token": created.refresh ?? ""])
        #expect(fresh.status == 200)
        backend.date.advance(30 * 86_400)
        #expect(backend.send("POST", "/session/refresh", ["refresh_token": fresh.refresh ?? ""]).status == 401)
    }

    @Test("A refresh replaces both tokens; the former one is valid until its successor is used")
    func rotation() throws {
        let first = try backend.signUp()
        // The response of this one is lost.
        let lost = backend.send("POST", "/session/refresh", ["refresh_token": first.refresh ?? ""])
        #expect(
            backend.send("GET", "/user", token: first.access).status == 200,
            "the old access token confirms nothing"
        )
        let second = backend.send("POST", "/session/refresh", ["refresh_token": first.refresh ?? ""])
        #expect(lost.status == 200 && second.status == 200 && lost.refresh != second.refresh)
        #expect(backend.send("GET", "/user", token: second.access).status == 200)
        let third = backend.send("POST", "/session/refresh", ["refresh_token": second.refresh ?? ""])
        #expect(third.status == 200)
        #expect(backend.send("GET", "/user", token: third.access).status == 200)
    }

    @Test(
        "A refresh token that is used again after its successor ends the session, also after a restart, and is logged"
    )
    func reuse() throws {
        let first = try backend.signUp()
        let second = backend.send("POST", "/session/refresh", ["refresh_token": first.refresh ?? ""])
        #expect(backend.send("GET", "/user", token: second.access).status == 200)
        let restarted = TestBackend(folder.path, date: backend.date)
        #expect(restarted.send("POST", "/session/refresh", ["refresh_token": first.refresh ?? ""]).status == 401)
        #expect(restarted.send("GET", "/user", token: second.access).status == 401)
        #expect(restarted.send("POST", "/session/refresh", ["refresh_token": second.refresh ?? ""]).status == 401)
        #expect(restarted.log.contains { $0.contains("used again") })
        // The other sessions of the account stay.
        #expect(restarted.send("POST", "/session", ["id": "jisu2026", "password": "k9-leash!"]).status == 200)
    }

    @Test("Refreshing does not extend the session beyond 180 days")
    func absoluteLimit() throws {
        var tokens = try backend.signUp()
        for _ in 0..<6 {
            backend.date.advance(29 * 86_400)
            tokens = backend.send("POST", "/session/refresh", ["refresh_token": tokens.refresh ?? ""])
            #expect(tokens.status == 200)
            #expect(backend.send("GET", "/user", token: tokens.access).status == 200)
        }
        backend.date.advance(6 * 86_400 - 10)
        tokens = backend.send("POST", "/session/refresh", ["refresh_token": tokens.refresh ?? ""])
        #expect(String(decoding: tokens.body, as: UTF8.self).contains("\"expires_in\":10"))
        backend.date.advance(10)
        #expect(backend.send("POST", "/session/refresh", ["refresh_token": tokens.refresh ?? ""]).status == 401)
    }

    @Test("A logout ends the session on the server; twice is fine, and other sessions stay")
    func logout() throws {
        let one = try backend.signUp()
        let two = backend.send("POST", "/session", ["id": "jisu2026", "password": "k9-leash!"])
        for _ in 0..<2 { #expect(backend.send("DELETE", "/session", token: one.refresh).status == 204) }
        #expect(backend.send("GET", "/user", token: one.access).status == 401)
        #expect(backend.send("POST", "/session/refresh", ["refresh_token": one.refresh ?? ""]).status == 401)
        #expect(backend.send("GET", "/user", token: two.access).status == 200)
    }

    @Test("Tokens are 32 random bytes with a prefix, and only their hashes are stored")
    func storedTokens() throws {
        let created = try backend.signUp()
        let (access, refresh) = (try #require(created.access), try #require(created.refresh))
        #expect(access.hasPrefix("pka_") && access.count == 47 && refresh.hasPrefix("pkr_") && refresh.count == 47)
        #expect(access.dropFirst(4) != refresh.dropFirst(4))
        let journal = String(decoding: try Data(contentsOf: URL(fileURLWithPath: backend.backend.path)), as: UTF8.self)
        #expect(!journal.contains(access.dropFirst(4)) && !journal.contains(refresh.dropFirst(4)))
    }

    @Test("Expired records are removed by the first session, refresh or code of a day, and live ones stay")
    func sweep() throws {
        let created = try backend.signUp()
        for number in 0..<40 { _ = backend.send("POST", "/session", ["id": "nobody\(number)", "password": "x"]) }
        let login = ["id": "jisu2026", "password": "k9-leash!"]
        func count(_ prefix: String) throws -> Int {
            try JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "accounts")
                .transaction { try $0.values(of: JSONValue.self, prefix: prefix).count }
        }
        #expect(try count("attempts.") > 5 && count("family.") == 1)
        backend.date.advance(86_400)
        let fresh = backend.send("POST", "/session/refresh", ["refresh_token": created.refresh ?? ""])
        #expect(try count("attempts.") == 0)
        #expect(backend.send("POST", "/session", login).status == 200)
        #expect(backend.send("GET", "/user", token: fresh.access).status == 200)
        #expect(backend.send("GET", "/user", token: created.access).status == 401)
        #expect(try count("attempts.") == 0 && count("family.") == 2)
        // The refresh tokens expire after thirty days, and with the last of them the session.
        backend.date.advance(31 * 86_400)
        // Of the codes of a number, one was sent in the last hour of the day that begins with the first one.
        for wait in [82_800, 1_800, 1_800] {
            _ = request("010-8765-4321")
            #expect(try count("family.") == 0 && count("verification.") == 1)
            backend.date.advance(wait)
        }
        #expect(backend.send("POST", "/session", login).status == 200)
        #expect(try count("family.") == 1 && count("token.") == 2 && count("sent.phone.") == 1)
    }
}
