import AccountCore
import AppTestSupport
import AppUI
import CommandKit
import Foundation
import LocalProvider
import LocalSecrets
import LoopbackServer
import NetworkProvider
import PictureAPIs
import PictureCore
import TerminalTesting
import TerminalUI
import TestSupport
import Threading
import TodoCore

@testable import TodoApp

/// The services of the app over a server on a loopback port that fails on demand.
@MainActor
final class FaultyServices {
    static let password = "k9-leash!"

    let folder: TemporaryDirectory
    /// The accounts and the pictures.
    private(set) var server: PictureAPIServer
    /// The other host, to which the server redirects.
    let elsewhere: LoopbackServer
    private let routes: AccountBackendRoutes
    private let provider = ProviderRoutes()
    private let limit = HangLimit()
    private let port: UInt16
    private var isDown = false

    /// The services of the app. Their stores are files in ``folder``.
    let app: AppServices
    var account: any AccountServing { app.account }
    var favourites: any FavouriteStoring { app.favourites }

    /// Creates services without an account, in the state after the tutorial.
    ///
    /// - Throws: the error of the folder, the ports or the stores.
    init() async throws {
        folder = try TemporaryDirectory("faults")
        routes = AccountBackendRoutes(folder: folder.path + "/server")
        elsewhere = try LoopbackServer(immediateHandler: { _ in ServedResponse() })
        server = try PictureAPIServer(redirectTarget: elsewhere.baseURL + "/", moreRoutes: [routes, provider])
        port = server.port
        let location = FileStoreLocation(directory: folder.path + "/dog")
        var options = AccountService.Options(version: "0.1.0", providers: [Self.provider(at: server.baseURL)])
        (options.launchLimit, options.plugins) = (options.requestLimit, [limit])
        let account = AccountService(
            base: server.baseURL,
            location: location,
            keyPath: folder.path + "/keys/dog.key",
            options: options
        )
        var app = AppServices(flavour: .sample, configuration: try Self.configuration(folder.path))
        app.account = account
        app.clock = ManualClock()
        app.today = { .sample }
        app.appearance = .dog()
        app.pictureService = PictureService(
            api: LoopbackPictures(),
            address: server.baseURL,
            // Without retries, whose delays belong to the tests of NetworkProvider.
            provider: NetworkProvider(),
            local: LocalProvider(location: location),
            bundled: Array(FetchedPicture.sample(nil).file)
        )
        self.app = app
        try await account.finishTutorial()
    }

    /// The code that was sent last.
    var code: String { routes.code.withLock { $0 } }

    /// Approves the sign-in with the outside provider.
    func approve() { provider.isApproved.withLock { $0 = true } }

    /// The configuration of a program whose data is in a folder, and which reads no other file.
    static func configuration(_ folder: String) throws -> Configuration {
        let table = AppCommands.table(program: "Dog", animal: "dog", version: "0.1.0")
        guard case .run(let command) = try table.parse(["--data-dir", folder]) else { throw CancellationError() }
        return try Configuration(
            flavour: .sample,
            command: command,
            context: Configuration.Context(environment: [:], isInputTerminal: true, isOutputTerminal: true)
        )
    }

    /// The outside provider, which is on the same server.
    private static func provider(at base: String) -> DeviceProvider {
        DeviceProvider(
            name: "Google",
            endpoints: .explicit(
                device: base + "/oauth/device",
                token: base + "/oauth/token",
                revocation: base + "/oauth/revoke",
                userInfo: base + "/oauth/me"
            ),
            clientID: "pawkit-dog"
        )
    }

    /// Sets the fault of later requests: the name of a fault, `down` for a closed port, `nil` for none.
    func fail(_ fault: String?) throws {
        if isDown {
            server = try PictureAPIServer(
                port: port,
                redirectTarget: elsewhere.baseURL + "/",
                moreRoutes: [routes, provider]
            )
            isDown = false
        }
        limit.isHanging.withLock { $0 = fault == "hang" }
        if fault == "down" {
            server.stop()
            isDown = true
        } else {
            server.fault = fault.flatMap { FaultRule($0) }
        }
    }

    func stop() {
        if !isDown { server.stop() }
        elsewhere.stop()
    }
}

/// Limits the time of a request of the account while the server does not reply. Otherwise a busy machine may need more.
private struct HangLimit: NetworkPlugin {
    let isHanging = Locked(false)

    func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
        var request = request
        if isHanging.withLock({ $0 }) { request.timeouts.total = .seconds(1) }
        return request
    }
}

/// The account server with the weakest hashes and without limits for codes.
private final class AccountBackendRoutes: BackendRoutes {
    /// The code that was sent last.
    let code: Locked<String>
    private let backend: AccountBackend

    init(folder: String) {
        var policy = BackendPolicy()
        (policy.codeResendInterval, policy.codesPerHour) = (0, 1_000)
        policy.passwordCost = .minimum
        let code = Locked("")
        self.code = code
        backend = AccountBackend(
            location: FileStoreLocation(directory: folder),
            policy: policy,
            deliver: { _, message in
                if case .code(let digits) = message { code.withLock { $0 = digits } }
            }
        )
    }

    func response(to request: ServedRequest) async -> ServedResponse? {
        guard AccountBackend.handles(request.path) else { return nil }
        let headers = request.headers.map { ($0.name.lowercased(), $0.value) }
        let response = backend.response(
            to: BackendRequest(
                method: request.method,
                path: request.path,
                headers: Dictionary(headers, uniquingKeysWith: { $1 }),
                body: request.body,
                address: "127.0.0.1"
            )
        )
        return ServedResponse(status: response.status, headers: response.headers, body: .data(response.body))
    }
}

/// An authorization server of the device grant (RFC 8628), whose code the test approves.
private final class ProviderRoutes: BackendRoutes {
    let isApproved = Locked(false)

    func response(to request: ServedRequest) async -> ServedResponse? {
        switch request.path {
        case "/oauth/device":
            .json(
                #"{"device_code":"dc-secret","user_code":"WDJB-MJHT","verification_uri":"https://example.com/device","#
                    + #""expires_in":600,"interval":1}"#
            )
        case "/oauth/token" where isApproved.withLock { $0 }:
            .json(#"{"access_token":"at-secret","token_type":"Bearer","refresh_token":"rt-secret"}"#)
        case "/oauth/token": .json(#"{"error":"authorization_pending"}"#, status: 400)
        case "/oauth/revoke": ServedResponse()
        case "/oauth/me": .json(#"{"name":"Jisu"}"#)
        default: nil
        }
    }
}

/// A minimal client of the pictures of the server.
private struct LoopbackPictures: PictureAPI {
    let address = ""

    private struct RandomPicture: PictureTarget {
        struct Response: Decodable, Sendable { let message: String }

        let base: String
        let path = "/api/breeds/image/random"
    }

    func randomPicture(
        of breed: String?,
        at address: String,
        through provider: NetworkProvider
    ) async throws(PictureFailure) -> PictureReference {
        do {
            return PictureReference(url: try await provider.request(RandomPicture(base: address)).message, breed: nil)
        } catch {
            throw .network(error)
        }
    }

    func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed] { [] }
}
