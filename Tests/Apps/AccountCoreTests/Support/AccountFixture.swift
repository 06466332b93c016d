import AppLanguage
import Foundation
import HTTPTransport
import LocalProvider
import LocalSecrets
import LoopbackServer
import NetworkProvider
import TestSupport
import Threading

@testable import AccountCore

/// The date of a test, which it can advance.
final class TestDate: Sendable {
    private let present = Locked(Date(timeIntervalSince1970: 1_790_000_000))
    private let hook = Locked<(reads: Int, work: @Sendable () -> Void)?>(nil)

    var now: Date {
        let work = hook.withLock { hook -> (@Sendable () -> Void)? in
            hook?.reads -= 1
            guard let present = hook, present.reads == 0 else { return nil }
            hook = nil
            return present.work
        }
        work?()
        return present.withLock { $0 }
    }

    /// Does some work before the date is read once more, for the `reads`th time.
    func onRead(_ reads: Int, _ work: @escaping @Sendable () -> Void) { hook.withLock { $0 = (reads, work) } }

    func advance(_ seconds: Int) { present.withLock { $0 += Double(seconds) } }
}

/// A backend with the weakest hashes, its messages and its log.
final class TestBackend: Sendable {
    let date = TestDate()
    let backend: AccountBackend
    private let delivered = Locked<[(phone: String, message: BackendMessage)]>([])
    private let lines = Locked<[String]>([])
    private let reported = Locked<[String]>([])

    init(_ folder: String, date: TestDate? = nil, _ change: (inout BackendPolicy) -> Void = { _ in }) {
        var policy = BackendPolicy()
        policy.passwordCost = .weakest
        policy.codeCost = .weakest
        (policy.firstChallenge, policy.hardestChallenge) = (4, 6)
        change(&policy)
        let (date, delivered, lines, reported) = (date ?? self.date, delivered, lines, reported)
        backend = AccountBackend(
            location: FileStoreLocation(directory: folder),
            policy: policy,
            now: { date.now },
            deliver: { phone, message in delivered.withLock { $0.append((phone, message)) } },
            log: { line in lines.withLock { $0.append(line) } },
            report: { line in reported.withLock { $0.append(line) } }
        )
    }

    var messages: [(phone: String, message: BackendMessage)] { delivered.withLock { $0 } }
    var log: [String] { lines.withLock { $0 } }
    var reports: [String] { reported.withLock { $0 } }

    /// The code of the last message.
    var lastCode: String? {
        if case .code(let code) = messages.last?.message { code } else { nil }
    }

    /// Sends a form, and returns the status and the members of the JSON in the response.
    func send(
        _ method: String,
        _ path: String,
        _ form: [String: String] = [:],
        token: String? = nil,
        headers: [String: String] = [:],
        address: String? = "192.0.2.1"
    ) -> Reply {
        var headers = headers
        if let token { headers["authorization"] = "Bearer \(token)" }
        let allowed = CharacterSet.alphanumerics
        let body = form.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }
        let request = BackendRequest(
            method: method,
            path: path,
            headers: headers,
            body: Data(body.joined(separator: "&").utf8),
            address: address
        )
        return Reply(backend.response(to: request))
    }

    /// A response with its JSON.
    struct Reply {
        let status: Int
        let body: Data
        let headers: [String: String]

        init(_ response: BackendResponse) {
            status = response.status
            body = response.body
            headers = Dictionary(response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        }

        private var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        }

        subscript(_ path: String...) -> String? {
            var value: Any? = object
            for name in path { value = (value as? [String: Any])?[name] }
            return value as? String
        }

        var access: String? { self["tokens", "access_token"] ?? self["access_token"] }
        var refresh: String? { self["tokens", "refresh_token"] ?? self["refresh_token"] }
        var error: String? { self["error"] }

        /// The challenge in the response.
        var challenge: LoginChallenge? {
            guard let values = object["challenge"] as? [String: Any], let token = values["token"] as? String,
                let bits = values["bits"] as? Int
            else { return nil }
            return LoginChallenge(token: token, bits: bits)
        }
    }

    static let form = [
        "phoneNumber": "010-1234-5678", "FCMtoken": "push-1", "nick": "지수", "birth": "2001-03-09",
        "email": "jisu@example.com", "gender": "female", "id": "jisu2026", "password": "k9-leash!",
    ]

    /// Verifies a number and returns its `idtoken`.
    func verifiedToken(_ phone: String = "010-1234-5678") throws -> String {
        let request = send("POST", "/verification", ["phoneNumber": phone])
        let check = send("POST", "/verification/check", ["request": request["request"] ?? "", "code": lastCode ?? ""])
        guard let token = check["idtoken"] else { throw NoToken(status: check.status) }
        return token
    }

    /// Creates an account and returns the reply of the sign-up.
    func signUp(_ changes: [String: String] = [:]) throws -> Reply {
        let form = Self.form.merging(changes) { $1 }
        return send("POST", "/user", form, headers: ["idtoken": try verifiedToken(form["phoneNumber"] ?? "")])
    }

    /// The response to a request that a server has received.
    func response(to request: ServedRequest) -> ServedResponse {
        let response = backend.response(
            to: BackendRequest(
                method: request.method,
                path: request.path,
                headers: Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }),
                body: request.body,
                address: "127.0.0.1"
            )
        )
        return ServedResponse(status: response.status, headers: response.headers, body: .data(response.body))
    }

    struct NoToken: Error { let status: Int }
}

/// A service over an embedded backend, in a temporary folder.
struct AccountFixture {
    let folder: TemporaryDirectory
    let date = TestDate()

    init() throws { folder = try TemporaryDirectory("account") }

    var location: FileStoreLocation { FileStoreLocation(directory: folder.path + "/dog") }
    var keyPath: String { folder.path + "/keys/dog.key" }

    /// A new service, as a new process has it.
    func service(
        base: String? = nil,
        version: String = "0.1.0",
        providers: [DeviceProvider] = [],
        plugins: [any NetworkPlugin] = [],
        clock: any Clock<Duration> = ContinuousClock(),
        launchLimit: Duration = .seconds(60),
        requestLimit: Duration = .seconds(20)
    ) -> AccountService {
        var options = AccountService.Options(version: version, providers: providers, userAgent: "Dog/0.1.0")
        options.plugins = plugins
        options.clock = clock
        options.launchLimit = launchLimit
        options.requestLimit = requestLimit
        let date = date
        options.now = { date.now }
        if let base { return AccountService(base: base, location: location, keyPath: keyPath, options: options) }
        var policy = BackendPolicy()
        policy.passwordCost = .weakest
        policy.codeCost = .weakest
        (policy.firstChallenge, policy.hardestChallenge) = (4, 6)
        return .embedded(location: location, keyPath: keyPath, policy: policy, options: options)
    }

    static let form = SignUpForm(
        id: "jisu2026",
        password: "k9-leash!",
        nickname: "지수",
        birth: "2001-03-09",
        email: "jisu@example.com",
        gender: .female
    )

    /// Signs up with a new number.
    @discardableResult
    func signUp(_ service: AccountService, form: SignUpForm = Self.form) async throws -> AccountResult<Profile> {
        let request = try await service.requestCode(phone: "010-1234-5678")
        try await service.verify(code: try Self.code(in: request))
        return try await service.signUp(form)
    }

    /// The code in the message of the embedded backend.
    static func code(in request: CodeRequest) throws -> String {
        guard let code = request.code, request.message?(.korean).contains(code) == true else { throw MissingCode() }
        return code
    }

    struct MissingCode: Error {}

    /// Starts a server of a new backend with an account, and signs in to it.
    func signedIn(
        _ intercept: @escaping @Sendable (ServedRequest) -> ServedResponse? = { _ in nil }
    ) async throws -> (server: LoopbackServer, service: AccountService) {
        let backend = TestBackend(folder.path + "/server", date: date)
        let server = try serve(backend, intercept)
        _ = try backend.signUp()
        let service = service(base: server.baseURL)
        _ = try await service.login(id: "jisu2026", password: "k9-leash!")
        return (server, service)
    }
}

extension DeviceSignIn {
    var failure: AccountError? { if case .failed(let error) = self { error } else { nil } }
    var profile: Profile? { if case .finished(let profile) = self { profile } else { nil } }
}

extension VersionCheck {
    var outdated: OutdatedVersion? { if case .outdated(let version) = self { version } else { nil } }
    var notice: LocalizedText? { if case .unknown(let notice) = self { notice } else { nil } }
}

/// A server of a backend on a loopback port.
func serve(
    _ backend: TestBackend,
    _ intercept: @escaping @Sendable (ServedRequest) -> ServedResponse? = { _ in nil }
) throws -> LoopbackServer {
    try LoopbackServer(immediateHandler: { request in intercept(request) ?? backend.response(to: request) })
}
