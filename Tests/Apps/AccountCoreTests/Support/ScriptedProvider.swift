import AccountCore
import Foundation
import LoopbackServer
import Threading

/// An authorization server whose replies to polls are listed in advance.
final class ScriptedProvider: Sendable {
    /// A reply to a poll.
    struct Poll: Sendable {
        var status = 400
        var body: String
        var fault: ServedResponse.Fault?

        static let pending = Poll(body: #"{"error":"authorization_pending"}"#)
        static let slowDown = Poll(body: #"{"error":"slow_down"}"#)
        static let denied = Poll(body: #"{"error":"access_denied"}"#)
        static let expired = Poll(body: #"{"error":"expired_token"}"#)
        static let tokens = Poll(
            status: 200,
            body:
                #"{"access_token":"at-secret-1","token_type":"bearer","expires_in":3600,"refresh_token":"rt-secret-1"}"#
        )
        static func error(_ name: String, status: Int = 400) -> Poll {
            Poll(status: status, body: #"{"error":"\#(name)"}"#)
        }
    }

    let server: LoopbackServer
    private let polls: Locked<[Poll]>
    private let box: Locked<[String: Poll]>

    /// Starts a server. After the last poll of the list, the last one is repeated.
    init(
        _ polls: [Poll],
        device: Poll = Poll(status: 200, body: ScriptedProvider.device),
        refresh: Poll = Poll(
            status: 200,
            body: #"{"access_token":"at-secret-2","token_type":"Bearer","expires_in":3600}"#
        ),
        revocation: Poll = Poll(status: 200, body: ""),
        refreshRevocation: Poll? = nil
    ) throws {
        let polls = Locked(polls)
        let box = Locked(["device": device, "refresh": refresh, "revoke": revocation])
        box.withLock { $0["revoke refresh_token"] = refreshRevocation }
        (self.polls, self.box) = (polls, box)
        server = try LoopbackServer(immediateHandler: { request in
            let form = ServedRequest.formItems(String(decoding: request.body, as: UTF8.self))
            let isRefresh = form.contains { $0.name == "grant_type" && $0.value == "refresh_token" }
            let base = "http://\(request.header("Host") ?? "")"
            let poll: Poll?
            switch request.path {
            case "/device": poll = box.withLock { $0["device"] }
            case "/token" where isRefresh: poll = box.withLock { $0["refresh"] }
            case "/token": poll = polls.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
            case "/revoke":
                let hint = form.first { $0.name == "token_type_hint" }?.value ?? ""
                poll = box.withLock { $0["revoke \(hint)"] ?? $0["revoke"] }
            case "/me": poll = Poll(status: 200, body: #"{"sub":"7","name":"지수 김","email":"jisu@example.com"}"#)
            case "/.well-known/openid-configuration":
                poll = Poll(
                    status: 200,
                    body: """
                        {"issuer":"\(base)","device_authorization_endpoint":"\(base)/device",\
                        "token_endpoint":"\(base)/token","revocation_endpoint":"\(base)/revoke"}
                        """
                )
            default: poll = nil
            }
            guard let poll else { return ServedResponse(status: 404) }
            if let fault = poll.fault { return .failing(fault, body: Data(poll.body.utf8)) }
            return .json(poll.body, status: poll.status)
        })
    }

    static let device = """
        {"device_code":"dc-secret","user_code":"WDJB-MJHT","verification_uri":"https://example.com/device",\
        "verification_uri_complete":"https://example.com/device?user_code=WDJB-MJHT","expires_in":300,"interval":5}
        """

    /// Replaces the reply to a refresh.
    func setRefresh(_ poll: Poll) { box.withLock { $0["refresh"] = poll } }

    /// The provider with the addresses of the server.
    func provider(_ name: String = "Google", dialect: DeviceProvider.Dialect = .standard) -> DeviceProvider {
        let base = server.baseURL
        return DeviceProvider(
            name: name,
            endpoints: .explicit(
                device: base + "/device",
                token: base + "/token",
                revocation: base + "/revoke",
                userInfo: base + "/me"
            ),
            clientID: "pawkit-dog",
            clientSecret: "cs-secret",
            dialect: dialect
        )
    }

    /// The forms of the requests to a path.
    func forms(_ path: String) -> [[String: String]] {
        server.requests.filter { $0.path == path }.map { request in
            Dictionary(
                ServedRequest.formItems(String(decoding: request.body, as: UTF8.self)).map { ($0.name, $0.value) },
                uniquingKeysWith: { $1 }
            )
        }
    }
}
