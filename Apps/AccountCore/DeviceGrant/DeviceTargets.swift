import EssentialFoundation
import NetworkProvider

/// A request to an authorization server. Every status is a reply: errors come with 400, 403, 428 and even 200.
struct DeviceTarget: RemoteTargetType {
    typealias Response = DeviceReply

    static let targetName = "DeviceGrant"

    /// The whole address.
    let base: String
    var httpMethod = HTTPMethod.post
    /// The form of the body; `nil` for no body.
    var form: [String: String]?
    /// The query, for providers that require one.
    var query: [String: String]?
    /// The access token, for requests about the user.
    var token: String?
    var limit = Duration.seconds(20)

    var task: RemoteTask { form.map { .form(QueryParameters($0)) } ?? .plain }
    var parameters: QueryParameters { QueryParameters(query ?? [:]) }
    var headers: HTTPHeaders { token.map { ["Authorization": "Bearer \($0)"] } ?? [:] }
    // GitHub replies with a form otherwise.
    var accept: String { "application/json" }
    var validation: ResponseValidation { .any }
    var deduplicates: Bool? { false }
    var timeout: HTTPTimeouts { HTTPTimeouts(connect: .seconds(10), idle: limit, total: limit) }

    func decode(_ body: Data, _ head: HTTPResponseHead) throws -> DeviceReply {
        DeviceReply(status: head.status, retryAfter: head.headers["Retry-After"].flatMap { Int($0) }, body: body)
    }
}

/// The addresses of a provider.
struct DeviceAddresses: Sendable, Hashable {
    var device: String
    var token: String
    var revocation: String?
    var userInfo: String?
}

/// Finds the addresses of a provider in its metadata.
struct DeviceDiscovery: Sendable {
    let network: NetworkProvider

    /// Returns the addresses of a provider.
    ///
    /// - Throws: ``AccountError/providerUnavailable(name:_:)`` if the metadata are missing, belong to another issuer, or
    ///   name an address that is not secure; and the errors of the network.
    func addresses(of provider: DeviceProvider) async throws(AccountError) -> DeviceAddresses {
        let found: DeviceAddresses
        switch provider.endpoints {
        case .explicit(let device, let token, let revocation, let userInfo):
            found = DeviceAddresses(device: device, token: token, revocation: revocation, userInfo: userInfo)
        case .issuer(let issuer): found = try await metadata(of: issuer, provider.name)
        }
        for address in [found.device, found.token, found.revocation, found.userInfo].compactMap({ $0 })
        where !Self.isSecure(address) { throw .providerUnavailable(name: provider.name, .insecure) }
        return found
    }

    private func metadata(of issuer: String, _ name: String) async throws(AccountError) -> DeviceAddresses {
        guard Self.isSecure(issuer), let url = URL(string: issuer), let host = url.host() else {
            throw .providerUnavailable(name: name, .insecure)
        }
        let port = url.port.map { ":\($0)" } ?? ""
        let path = url.path() == "/" ? "" : url.path()
        let trimmed = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let places = [
            "\(url.scheme ?? "https")://\(host)\(port)/.well-known/oauth-authorization-server\(path)",
            "\(trimmed)/.well-known/openid-configuration",
        ]
        for place in places {
            let reply: DeviceReply
            do throws(NetworkError) {
                reply = try await network.request(DeviceTarget(base: place, httpMethod: .get))
            } catch {
                throw AccountError(error)
            }
            guard reply.status == 200 else { continue }
            guard reply.text("issuer") == issuer else { throw .providerUnavailable(name: name, .otherIssuer) }
            guard let device = reply.text("device_authorization_endpoint"), let token = reply.text("token_endpoint")
            else { throw .providerUnavailable(name: name, .noDeviceGrant) }
            return DeviceAddresses(
                device: device,
                token: token,
                revocation: reply.text("revocation_endpoint"),
                userInfo: reply.text("userinfo_endpoint")
            )
        }
        throw .providerUnavailable(name: name, .noMetadata)
    }

    /// Returns whether an address is https, or on this machine.
    static func isSecure(_ address: String) -> Bool {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(), let host = url.host() else {
            return false
        }
        return scheme == "https" || scheme == "http" && ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host)
    }
}
