import EssentialFoundation
import NetworkProvider

/// A client of one outside provider: the device authorization grant (RFC 8628), refresh and revocation (RFC 7009).
///
/// The requests follow no redirects, are not repeated by a retry policy, and carry no credential of the account server.
struct DeviceGrantClient: Sendable {
    /// The result of a poll.
    enum Poll: Sendable {
        case pending
        /// The interval is extended; by the number of seconds that the provider names, or by five.
        case slowDown(Int?)
        case granted(StoredSession)
        case denied
        case expired
        /// The provider cannot be reached, or failed: try again until the code expires.
        case unreachable(AccountError)
        case failed(AccountError)
    }

    /// A code that the provider has issued.
    struct Authorization: Sendable {
        let deviceCode: String
        let code: DeviceCode
        let lifetime: Int
        let interval: Int
    }

    let provider: DeviceProvider
    let network: NetworkProvider
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    // MARK: Sign-in

    /// Signs in. `report` receives each step; the last one ends the sign-in. Cancelling the task ends the request under way.
    func signIn(
        _ report: (DeviceSignIn) -> Void,
        store: (StoredSession, Profile) async throws(AccountError) -> Void
    ) async {
        report(.requesting)
        do throws(AccountError) {
            let addresses = try await DeviceDiscovery(network: network).addresses(of: provider)
            let authorization = try await authorize(addresses)
            report(.waiting(authorization.code, problem: nil))
            guard let end = try await wait(for: authorization, addresses, report) else { return }
            switch end {
            case .granted(let session):
                let profile = await profile(session, addresses)
                try await store(session, profile)
                report(.finished(profile))
            case .denied: report(.denied)
            case .expired: report(.expired)
            case .failed(let error): report(.failed(error))
            case .pending, .slowDown, .unreachable: break
            }
        } catch {
            if error != .cancelled { report(.failed(error)) }
        }
    }

    /// Polls until the sign-in ends; returns `nil` if the task was cancelled.
    private func wait(
        for authorization: Authorization,
        _ addresses: DeviceAddresses,
        _ report: (DeviceSignIn) -> Void
    ) async throws(AccountError) -> Poll? {
        let elapsed = Self.stopwatch(clock)
        let lifetime = Duration.seconds(authorization.lifetime)
        var interval = authorization.interval
        var problem: AccountError?
        while true {
            let rest = lifetime - elapsed()
            guard rest > .zero else { return .expired }
            do { try await clock.sleep(for: min(.seconds(interval), rest)) } catch { return nil }
            // The provider counts from its own start: a last poll at the end would only be refused.
            guard elapsed() < lifetime else { return .expired }
            let poll = await self.poll(authorization.deviceCode, addresses)
            guard !Task.isCancelled else { return nil }
            var present: AccountError?
            switch poll {
            case .pending: break
            case .slowDown(let named): interval = min(max(interval + 5, named ?? 0), 300)
            case .unreachable(let error):
                present = error
                // RFC 8628, section 3.5: after a timeout, wait longer.
                if error == .timedOut { interval = min(interval * 2, 300) }
            case .granted, .denied, .expired: return poll
            case .failed(let error):
                // Some servers report an expired code as an invalid one.
                return elapsed() + .seconds(interval) >= lifetime ? .expired : .failed(error)
            }
            if present != problem { report(.waiting(authorization.code, problem: present)) }
            problem = present
        }
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    // MARK: Requests

    /// Requests a code.
    func authorize(_ addresses: DeviceAddresses) async throws(AccountError) -> Authorization {
        var form = ["scope": provider.scopes.joined(separator: provider.dialect == .facebook ? "," : " ")]
        switch provider.dialect {
        case .standard: form = identified(form)
        case .facebook: form["access_token"] = facebookToken
        }
        let reply = try await send(DeviceTarget(base: addresses.device, form: form))
        guard (200...299).contains(reply.status), reply.text("error") == nil else { throw failure(reply) }
        guard let deviceCode = reply.text("device_code", "code"), let userCode = reply.text("user_code"),
            userCode.count <= 64, let address = reply.text("verification_uri", "verification_url"),
            Self.isWebAddress(address)
        else { throw .unusable(.malformed) }
        let complete = reply.text("verification_uri_complete", "verification_url_complete")
        let lifetime = min(max(reply.number("expires_in") ?? 600, 1), 86_400)
        return Authorization(
            deviceCode: deviceCode,
            code: DeviceCode(
                userCode: userCode,
                address: address,
                completeAddress: complete.flatMap { Self.isWebAddress($0) ? $0 : nil },
                expires: now().addingTimeInterval(Double(lifetime))
            ),
            lifetime: lifetime,
            interval: min(max(reply.number("interval") ?? 5, 1), 60)
        )
    }

    /// Asks whether the user has approved.
    func poll(_ deviceCode: String, _ addresses: DeviceAddresses) async -> Poll {
        let grant = "urn:ietf:params:oauth:grant-type:device_code"
        let form =
            switch provider.dialect {
            case .standard: identified(["grant_type": grant, "device_code": deviceCode])
            case .facebook: ["access_token": facebookToken, "code": deviceCode]
            }
        let reply: DeviceReply
        do throws(AccountError) {
            reply = try await send(DeviceTarget(base: addresses.token, form: form))
        } catch {
            return error.isServerProblem && error != .unusable(.insecure) ? .unreachable(error) : .failed(error)
        }
        if let session = session(reply) { return .granted(session) }
        if reply.status >= 500 { return .unreachable(.serverFailed(status: reply.status)) }
        if reply.status == 429 { return .slowDown(reply.retryAfter) }
        switch provider.dialect {
        case .standard:
            switch reply.text("error") {
            case "authorization_pending": return .pending
            case "slow_down": return .slowDown(reply.number("interval"))
            case "access_denied", "authorization_declined": return .denied
            case "expired_token": return .expired
            default: return .failed(failure(reply))
            }
        case .facebook:
            switch reply.object("error")?.number("error_subcode") {
            case 1_349_174: return .pending
            case 1_349_172: return .slowDown(nil)
            case 1_349_152: return .expired
            default: return .failed(failure(reply))
            }
        }
    }

    /// Returns new tokens for a session.
    ///
    /// - Throws: ``AccountError/sessionEnded`` if the provider refuses the refresh token, or it is missing.
    func refresh(_ session: StoredSession) async throws(AccountError) -> StoredSession {
        guard let token = session.refresh else { throw .sessionEnded }
        let addresses = try await DeviceDiscovery(network: network).addresses(of: provider)
        let form = identified(["grant_type": "refresh_token", "refresh_token": token])
        let reply = try await send(DeviceTarget(base: addresses.token, form: form))
        if let fresh = self.session(reply) { return fresh }
        if reply.status >= 500 { throw .serverFailed(status: reply.status) }
        throw reply.text("error") == "invalid_grant" ? .sessionEnded : failure(reply)
    }

    /// Revokes the tokens of a session: the refresh token first, since its end also ends the access token.
    ///
    /// - Returns: whether the provider has confirmed it.
    func revoke(_ session: StoredSession) async throws(AccountError) -> Bool {
        let addresses = try await DeviceDiscovery(network: network).addresses(of: provider)
        guard let address = addresses.revocation else { return false }
        let limit = Duration.seconds(5)
        if provider.dialect == .facebook {
            let target = DeviceTarget(base: address, httpMethod: .delete, token: session.access, limit: limit)
            return try await send(target).status == 200
        }
        var isRevoked = true
        for (token, hint) in [(session.refresh, "refresh_token"), (session.access, "access_token")] {
            guard let token else { continue }
            let form = identified(["token": token, "token_type_hint": hint])
            let reply = try await send(DeviceTarget(base: address, form: form, limit: limit))
            isRevoked = isRevoked && reply.status == 200
        }
        return isRevoked
    }

    /// Returns what the provider says about the user; the name of the provider if it says nothing.
    private func profile(_ session: StoredSession, _ addresses: DeviceAddresses) async -> Profile {
        var profile = Profile(id: "", nickname: provider.name, provider: provider.name)
        guard let address = addresses.userInfo else { return profile }
        let query = provider.dialect == .facebook ? ["fields": "name"] : nil
        let target = DeviceTarget(base: address, httpMethod: .get, query: query, token: session.access)
        guard let reply = try? await send(target), reply.status == 200 else { return profile }
        if let name = reply.text("name", "preferred_username", "login", "email", "sub") {
            profile.nickname = String(name.prefix(40))
        }
        profile.email = reply.text("email") ?? ""
        return profile
    }

    /// Returns a form with the client of the app.
    private func identified(_ form: [String: String]) -> [String: String] {
        var form = form
        form["client_id"] = provider.clientID
        form["client_secret"] = provider.clientSecret
        return form
    }

    private var facebookToken: String { "\(provider.clientID)|\(provider.clientSecret ?? "")" }

    private func send(_ target: DeviceTarget) async throws(AccountError) -> DeviceReply {
        let reply: DeviceReply
        do throws(NetworkError) {
            reply = try await network.request(target)
        } catch {
            throw AccountError(error)
        }
        guard !(300...399).contains(reply.status) else { throw .unusable(.redirect) }
        return reply
    }

    /// Returns the session of a reply with tokens; `nil` if it has none.
    private func session(_ reply: DeviceReply) -> StoredSession? {
        guard reply.status == 200, let access = reply.text("access_token"),
            reply.text("token_type")?.lowercased() ?? "bearer" == "bearer"
        else { return nil }
        return StoredSession(
            access: access,
            refresh: reply.text("refresh_token"),
            expires: reply.number("expires_in").map { now().addingTimeInterval(Double($0)) },
            provider: provider.name
        )
    }

    /// The error of a reply that is not one of the protocol. The provider's own text is not shown: it may contain anything.
    private func failure(_ reply: DeviceReply) -> AccountError {
        if reply.status >= 500 { return .serverFailed(status: reply.status) }
        switch reply.text("error") {
        case "invalid_client", "unauthorized_client":
            return .providerUnavailable(name: provider.name, .unknownClient)
        case "device_flow_disabled", "unsupported_grant_type":
            return .providerUnavailable(name: provider.name, .noDeviceGrant)
        case "invalid_scope":
            return .providerUnavailable(name: provider.name, .scopes)
        default: return (200...299).contains(reply.status) ? .unusable(.malformed) : .unusable(.status(reply.status))
        }
    }

    private static func isWebAddress(_ text: String) -> Bool {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { return false }
        return (scheme == "https" || scheme == "http") && url.host()?.isEmpty == false && url.user() == nil
    }
}

/// The clients of the configured providers. Their connections are made at the first use.
struct DeviceGrants: Sendable {
    let providers: [DeviceProvider]
    let plugins: [any NetworkPlugin]
    let options: AccountService.Options

    /// Returns the client of a provider.
    func client(for provider: DeviceProvider) -> DeviceGrantClient {
        let secrets = ["device_code", "user_code", "code", "id_token"]
        let network = NetworkProvider(
            plugins: plugins,
            redirects: .none,
            redaction: Redaction(fields: Redaction.usualFields.union(secrets)),
            maximumBodyBytes: 256 << 10
        )
        return DeviceGrantClient(provider: provider, network: network, clock: options.clock, now: options.now)
    }

    /// Returns the client of the provider with a name.
    ///
    /// - Throws: ``AccountError/providerUnavailable(name:_:)`` if it is not configured any more.
    func client(named name: String) throws(AccountError) -> DeviceGrantClient {
        guard let provider = providers.first(where: { $0.name == name }) else {
            throw .providerUnavailable(name: name, .notConfigured)
        }
        return client(for: provider)
    }
}
