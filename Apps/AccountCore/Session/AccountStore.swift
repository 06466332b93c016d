package import AppLanguage
import EssentialFoundation
package import LocalProvider
import LocalSecrets
import Threading

/// What the app stores about the launch, independent of the server.
package struct LaunchState: Codable, Hashable, Sendable {
    static let supportedVersion = 1

    /// The version of the record.
    package var version = LaunchState.supportedVersion
    /// Whether the user has seen the tutorial.
    package var isTutorialSeen = false
    /// Whether the user consents to automatic login.
    package var hasAutoLoginConsent = false
    /// Whether the user has withdrawn the consent; `nil` if it was never given, or is given.
    package var isConsentWithdrawn: Bool?

    private enum CodingKeys: String, CodingKey {
        case version
        case isTutorialSeen = "tutorialSeen"
        case hasAutoLoginConsent = "AutoLogIn"
        case isConsentWithdrawn = "AutoLogInWithdrawn"
    }
}

/// Where the next launch leads, for one server.
package struct ServerState: Codable, Hashable, Sendable {
    /// The stored branches; any other text has no branch.
    package enum StartView: String, Codable, Sendable {
        /// The telephone number is verified; the sign-up is not finished.
        case successLogin
        /// The user is signed in.
        case alreadySignUp
        /// The user continues without an account.
        case guest
        /// The user has signed out, or the session has ended.
        case signedOut
    }

    /// The version of the record.
    package var version = LaunchState.supportedVersion
    /// The name of the branch.
    package var startView: String?
    /// The profile of the user who is signed in.
    package var profile: Profile?

    /// Creates a state; without arguments, that of a first launch.
    package init(_ startView: StartView? = nil, profile: Profile? = nil) {
        self.startView = startView?.rawValue
        self.profile = profile
    }

    /// The branch.
    package var branch: StartView? { startView.flatMap(StartView.init(rawValue:)) }
}

/// The tokens of a session, sealed on this machine.
struct StoredSession: Codable, Hashable, Sendable {
    var access: String
    var refresh: String?
    /// When the access token expires; `nil` if that is unknown.
    var expires: Date?
    /// The name of the outside provider; `nil` for the account server.
    var provider: String?
    /// The identifier of the sign-in, which stays when the tokens are refreshed; `nil` for one of an earlier version.
    var signIn: String?
}

/// A verified telephone number whose sign-up is not finished, sealed on this machine.
struct PendingSignUp: Codable, Hashable, Sendable {
    var phone: String
    var idToken: String
}

/// A verification code that was requested and not yet entered, sealed on this machine.
struct PendingCode: Codable, Hashable, Sendable {
    var phone: String
    /// The token of the request.
    var request: String
    /// The number of digits of the code.
    var length: Int
    /// When the code expires.
    var expires: Date
    /// When another code can be requested.
    var resends: Date
}

/// The account's data on this machine: launch state and profile in a separate journal, tokens sealed in it.
///
/// The journal is separate from the todos, so that it can be set aside if it cannot be read. The records of a server have its
/// address in their identifiers: a token is never sent to another server.
package struct AccountStore: Sendable {
    /// The name of the journal.
    package static let name = "account"

    private let location: FileStoreLocation
    private let keyPath: String
    private let server: String
    private let local: LocalProvider
    /// The lock that a refresh holds, also against other processes.
    let refreshLock: ProcessLock

    /// Creates a store. No file is accessed before the first use.
    ///
    /// - Parameters:
    ///   - location: the folder of the app's data.
    ///   - keyPath: the path of the key that seals the tokens, in another folder; created when the first token is stored.
    ///   - server: the base URL of the account server.
    package init(location: FileStoreLocation, keyPath: String, server: String) {
        (self.location, self.keyPath, self.server) = (location, keyPath, server)
        local = LocalProvider(location: location).adding(JSONDefaults(location: location, name: Self.name))
        refreshLock = ProcessLock(path: location.path + "/account.refresh.lock")
    }

    private static let launchKey = LocalKey("launch", of: LaunchState.self, in: .defaults)
    private var serverKey: LocalKey<ServerState> { LocalKey("server.\(server)", in: .defaults) }
    private var sessionKey: LocalKey<StoredSession> { LocalKey("session.\(server)", in: .defaults) }
    private var pendingKey: LocalKey<PendingSignUp> { LocalKey("pending.\(server)", in: .defaults) }
    private var codeKey: LocalKey<PendingCode> { LocalKey("code.\(server)", in: .defaults) }

    // MARK: Launch

    /// Reads the stored state. What cannot be read is set aside, and the notices say so.
    package func load() async -> (launch: LaunchState, server: ServerState, notices: [LocalizedText]) {
        var notices: [LocalizedText] = []
        let launch = await value(of: Self.launchKey, version: \.version, &notices) ?? LaunchState()
        let server = await value(of: serverKey, version: \.version, &notices) ?? ServerState()
        if let copy = local.stores.flatMap(\.recoveries).compactMap(\.setAside).first {
            notices.append(Self.setAside(copy))
        }
        return (launch, server, notices)
    }

    /// Reads a value; sets aside one that cannot be read, or that a newer version has written.
    private func value<Value>(
        of key: LocalKey<Value>,
        version: KeyPath<Value, Int>,
        _ notices: inout [LocalizedText]
    ) async -> Value? {
        do throws(LocalError) {
            guard let value = try await local.async.value(of: key) else { return nil }
            guard value[keyPath: version] > LaunchState.supportedVersion else { return value }
            notices.append(Self.setAside(try await moveAside(key.identifier)))
        } catch .undecodable {
            if let place = try? await moveAside(key.identifier) { notices.append(Self.setAside(place)) }
        } catch .newerVersion, .corrupt {
            if let place = moveJournalAside() { notices.append(Self.setAside(place)) }
        } catch {
            notices.append(Self.unreadable(error))
        }
        return nil
    }

    /// Moves a value to another identifier of the journal, and returns where it is.
    private func moveAside(_ identifier: String) async throws(LocalError) -> String {
        let key = LocalKey(identifier, of: JSONValue.self, in: .defaults)
        let place = "set-aside.\(identifier)"
        if let value = try await local.async.value(of: key) {
            try await local.async.set(LocalKey(place, of: JSONValue.self, in: .defaults), to: value)
            try await local.async.delete(key)
        }
        return "\(location.path)/\(Self.name).journal (\(place))"
    }

    /// Renames the files of the journal, and returns the new path; `nil` if they cannot be renamed.
    private func moveJournalAside() -> String? {
        let path = "\(location.path)/\(Self.name).journal"
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).set-aside-\(number)") { number += 1 }
        let place = "\(path).set-aside-\(number)"
        guard (try? FileManager.default.moveItem(atPath: path, toPath: place)) != nil else { return nil }
        try? FileManager.default.moveItem(atPath: path + ".backup", toPath: place + ".backup")
        return place
    }

    private static func setAside(_ place: String) -> LocalizedText {
        LocalizedText(
            "The stored state of the account could not be read. It was set aside as \(place); your todos are not affected.",
            ko: "저장된 계정 상태를 읽을 수 없어 \(place)에 따로 보관했습니다. 할 일은 그대로입니다."
        )
    }

    private static func unreadable(_ error: LocalError) -> LocalizedText {
        LocalizedText(
            "The stored state of the account could not be read: \(error) Your todos are not affected.",
            ko: "저장된 계정 상태를 읽을 수 없습니다: \(error) 할 일은 그대로입니다."
        )
    }

    /// Changes the launch state.
    package func updateLaunch(_ change: @escaping @Sendable (inout LaunchState) -> Void) async throws(AccountError) {
        do {
            try await local.async.update(Self.launchKey) { state in
                var launch = state ?? LaunchState()
                change(&launch)
                state = launch
            }
        } catch {
            throw AccountError(storing: error)
        }
    }

    /// Replaces the state of the server.
    package func setServerState(_ state: ServerState) async throws(AccountError) {
        do throws(LocalError) {
            try await local.async.set(serverKey, to: state)
        } catch {
            throw .storage(error)
        }
    }

    // MARK: Secrets

    /// Returns the sealed session; `nil` if no session is stored.
    func session() async throws(AccountError) -> StoredSession? { try await secret(sessionKey) }

    /// Returns the sealed sign-up that is not finished; `nil` if no sign-up is stored.
    func pendingSignUp() async throws(AccountError) -> PendingSignUp? { try await secret(pendingKey) }

    /// Returns the sealed request of a code; `nil` if no request is stored.
    func pendingCode() async throws(AccountError) -> PendingCode? { try await secret(codeKey) }

    /// Seals the request of a code; `nil` removes it.
    func set(_ code: PendingCode?) async throws(AccountError) { try await setSecret(codeKey, code) }

    /// Seals a session; `nil` removes it.
    func set(_ session: StoredSession?) async throws(AccountError) { try await setSecret(sessionKey, session) }

    /// Seals a session in place of another one, as one step for all tasks and processes; `nil` removes it.
    ///
    /// - Returns: false if the stored session is not `stored`, and nothing was changed.
    func replaceSession(_ stored: StoredSession, by new: StoredSession?) async throws(AccountError) -> Bool {
        do {
            let isReplaced = try await secrets().async.update(sessionKey) { session in
                guard session == stored else { return false }
                session = new
                return true
            }
            if isReplaced, new == nil { try await purge() }
            return isReplaced
        } catch {
            throw AccountError(storing: error)
        }
    }

    /// Seals a sign-up that is not finished; `nil` removes it.
    func set(_ pending: PendingSignUp?) async throws(AccountError) { try await setSecret(pendingKey, pending) }

    private func secret<Value>(_ key: LocalKey<Value>) async throws(AccountError) -> Value? {
        // Without a sealed value, the key is not read, and not created.
        guard try await isStored(key.identifier) else { return nil }
        do throws(LocalError) {
            return try await secrets().async.value(of: key)
        } catch {
            throw .storage(error)
        }
    }

    private func setSecret<Value>(_ key: LocalKey<Value>, _ value: Value?) async throws(AccountError) {
        do throws(LocalError) {
            if let value {
                try await secrets().async.set(key, to: value)
            } else if try await local.async.delete(Self.sealed(key.identifier)) {
                // The sealed bytes of a session that has ended are removed from the files.
                try await purge()
            }
        } catch {
            throw .storage(error)
        }
    }

    private func isStored(_ identifier: String) async throws(AccountError) -> Bool {
        do throws(LocalError) {
            return try await local.async.contains(Self.sealed(identifier))
        } catch {
            throw .storage(error)
        }
    }

    private static func sealed(_ identifier: String) -> LocalKey<JSONValue> {
        LocalKey(SecretStore.prefix + identifier, of: JSONValue.self, in: .defaults)
    }

    private func secrets() throws(LocalError) -> LocalProvider {
        do throws(SecretError) {
            return local.sealed(with: try SecretKey.file(keyPath), context: Self.name)
        } catch {
            throw .secret(error)
        }
    }

    private func purge() async throws(LocalError) {
        let store = try local.store(.defaults)
        do {
            try await BlockingCalls.run { try store.purge() }
        } catch let error as LocalError {
            throw error
        } catch {
            // Cancelled: the purge continues on its thread.
        }
    }
}

extension AccountError {
    /// Creates the error of an update of a store, which throws any error.
    fileprivate init(storing error: any Error) {
        self = (error as? LocalError).map { .storage($0) } ?? .cancelled
    }
}
