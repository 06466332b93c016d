import Foundation
import LocalProvider
import LocalSecrets
import TestSupport
import Testing

@testable import AccountCore

@Suite("Backend: clocks, races and damage")
struct BackendMishapTests {
    private let folder: TemporaryDirectory
    private let backend: TestBackend

    init() throws {
        folder = try TemporaryDirectory("backend")
        backend = TestBackend(folder.path)
    }

    private let login = ["id": "jisu2026", "password": "k9-leash!"]

    @Test("What a clock that was ahead has counted locks no account once it is right, and the records are swept again")
    func clockAhead() throws {
        _ = try backend.signUp()
        let years = 10 * 365 * 86_400
        backend.date.advance(years)
        let other = try backend.signUp(["phoneNumber": "010-8765-4321", "id": "minji26"])
        #expect(backend.send("POST", "/user/withdraw", ["password": "k9-leash!"], token: other.access).status == 204)
        for _ in 0..<5 { _ = backend.send("POST", "/session", ["id": "jisu2026", "password": "other-1!"]) }
        #expect(backend.send("POST", "/session", login).status == 403)
        #expect(backend.send("POST", "/session", ["id": "nobody99", "password": "other-1!"]).status == 429)
        backend.date.advance(-years)
        #expect(backend.send("POST", "/session", login).status == 200)
        #expect(try backend.signUp(["phoneNumber": "010-8765-4321", "id": "minji26"]).status == 201)
        let swept = try JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "accounts")
            .transaction { try $0.value(for: RecordKey.sweep, as: Int.self) }
        #expect(swept == Int(backend.date.now.timeIntervalSince1970))
    }

    @Test("Two ids whose letters are composed differently are the same, also one that an earlier version has stored")
    func composition() throws {
        let (composed, decomposed) = ("caf\u{E9}12", "cafe\u{301}12")
        func login(_ id: String) -> Int {
            backend.send("POST", "/session", ["id": id, "password": "k9-leash!"]).status
        }
        #expect(try backend.signUp(["id": composed]).status == 201)
        let form = ["phoneNumber": "010-8765-4321", "id": decomposed]
        #expect(try backend.signUp(form).error == "id_taken")
        #expect([composed, decomposed].map(login) == [200, 200])
        try JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "accounts").transaction {
            let uid = try $0.value(for: RecordKey.id(composed), as: String.self)
            try $0.remove(RecordKey.id(composed))
            try $0.set(uid, for: RecordKey.ids(decomposed)[0])
        }
        #expect([composed, decomposed].map(login) == [401, 200])
        backend.date.advance(60)
        #expect(try backend.signUp(form).error == "id_taken")
    }

    @Test("Sign-ups that are repeated at the same time have the same result")
    func parallelRepeats() async throws {
        let backend = TestBackend(folder.path + "/parallel") { $0.passwordCost = .minimum }
        let token = try backend.verifiedToken()
        let statuses = await inParallel(6) { _ in
            backend.send("POST", "/user", TestBackend.form, headers: ["idtoken": token]).status
        }
        #expect(statuses == Array(repeating: 201, count: 6))
    }

    @Test("A withdrawal with a password that another session has just changed deletes nothing")
    func withdrawalDuringChange() throws {
        let (one, two) = (try backend.signUp(), backend.send("POST", "/session", login))
        // When the password has been compared.
        backend.date.onRead(3) { [backend] in
            let change = ["password": "k9-leash!", "new_password": "new-leash!"]
            #expect(backend.send("PUT", "/user/password", change, token: one.access).status == 200)
        }
        #expect(backend.send("POST", "/user/withdraw", ["password": "k9-leash!"], token: two.access).status == 401)
        #expect(backend.send("POST", "/session", ["id": "jisu2026", "password": "new-leash!"]).status == 200)
    }

    @Test(
        "A sign-up that is repeated while its password is changed or its account withdrawn starts no session",
        arguments: [("PUT", "/user/password"), ("POST", "/user/withdraw")]
    )
    func repeatDuringChange(method: String, path: String) throws {
        let headers = ["idtoken": try backend.verifiedToken()]
        let created = backend.send("POST", "/user", TestBackend.form, headers: headers)
        // When the password has been compared.
        backend.date.onRead(2) { [backend] in
            let form = ["password": "k9-leash!", "new_password": "new-leash!"]
            #expect(backend.send(method, path, form, token: created.access).status < 300)
        }
        #expect(backend.send("POST", "/user", TestBackend.form, headers: headers).error == "not_verified")
        #expect(backend.send("GET", "/user", token: created.access).status == 401, "the change was made")
    }

    @Test("Damage of the accounts, and a folder that cannot be used, are reported")
    func reports() throws {
        _ = try backend.signUp()
        var bytes = try Data(contentsOf: URL(filePath: backend.backend.path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: backend.backend.path))
        let damaged = TestBackend(folder.path)
        #expect(damaged.send("POST", "/session/refresh", ["refresh_token": "x"]).status == 401)
        #expect(damaged.reports.map { $0.contains("accounts.journal.damaged") } == [true])
        let file = TestBackend(backend.backend.path)
        #expect(throws: LocalError.self) { try file.backend.open() }
        #expect(file.send("POST", "/session", login).status == 500)
        #expect(file.reports.map { $0.contains("accounts.journal/") } == [true] && backend.reports == [])
    }
}
