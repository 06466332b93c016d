import AppLanguage
import EssentialFoundation
import NetworkProvider
import TextEscaping

/// The launch: the version, the stored state, and the server.
extension AccountService {
    package func checkVersion() async -> VersionCheck {
        let target = AccountTargets.Version(base: base, limit: options.launchLimit)
        do throws(AccountError) {
            let body = try await open.result(target).value
            guard let required = AppVersion(body.required), let current = AppVersion(options.version) else {
                throw .unusable(.malformed)
            }
            if required <= current { return .current }
            // The text of a server is shown: without control characters, and short.
            let text = body.update.map { LocalizedText(verbatim: $0.escapingControls(limit: 500)) }
            return .outdated(
                OutdatedVersion(
                    current: options.version,
                    required: body.required,
                    instructions: text ?? LocalizedText("Install the new version.", ko: "새 버전을 설치하세요.")
                )
            )
        } catch {
            return .unknown(
                LocalizedText(
                    "The version could not be checked. \(error.text(.english))",
                    ko: "버전을 확인하지 못했습니다. \(error.text(.korean))"
                )
            )
        }
    }

    package func restoreSession() async -> LaunchDecision {
        var (launch, server, notices) = await store.load()
        if let accounts { notices += await AccountBackend.damage(in: accounts) }
        publish(Self.session(of: server))
        let number = sessionNumber
        guard launch.isTutorialSeen else { return LaunchDecision(.tutorial, notices: notices) }
        switch server.branch {
        case nil: return LaunchDecision(.verification, notices: notices)
        case .successLogin: return LaunchDecision(.nickname, notices: notices)
        case .guest: return LaunchDecision(.main(nil), notices: notices)
        case .signedOut: return LaunchDecision(.login, notices: notices)
        case .alreadySignUp: break
        }
        do throws(AccountError) {
            if launch.isConsentWithdrawn == true {
                _ = try await logout()
                // It was about this session, not about one of a later sign-up.
                try await store.updateLaunch { $0.isConsentWithdrawn = nil }
                notices.append(
                    LocalizedText(
                        "Automatic login is off: log in to use your account.",
                        ko: "자동 로그인이 꺼져 있습니다. 계정을 사용하려면 로그인하세요."
                    )
                )
                return LaunchDecision(.login, notices: notices)
            }
            guard let session = try await store.session() else {
                notices.append(
                    LocalizedText(
                        "You are not signed in on this machine. Log in to reach your account.",
                        ko: "이 컴퓨터에 로그인되어 있지 않습니다. 계정을 사용하려면 로그인하세요."
                    )
                )
                return LaunchDecision(.main(server.profile), notices: notices)
            }
            let profile = try await currentProfile(session, server.profile)
            return LaunchDecision(.main(profile), notices: notices)
        } catch {
            notices.append(error.text)
            switch error {
            case .sessionEnded:
                await endSession(number)
                return LaunchDecision(.login, notices: notices)
            // The sealed tokens cannot be read: the user signs in again. They stay as they are.
            case .storage: return LaunchDecision(.login, notices: notices)
            case .serverFailed, .unusable(.status): return LaunchDecision(.nickname, notices: notices)
            default: return LaunchDecision(.main(server.profile), notices: notices)
            }
        }
    }

    /// Returns the profile of a stored session, from the server if it responds in time.
    private func currentProfile(_ session: StoredSession, _ stored: Profile?) async throws(AccountError) -> Profile? {
        use(session)
        if session.provider != nil {
            guard let expires = session.expires, session.refresh != nil else { return stored }
            let limit = options.now().addingTimeInterval(60)
            if expires <= limit { _ = try await refreshed { $0.expires.map { $0 > limit } ?? true } }
            return stored
        }
        return try await loadProfile(within: options.launchLimit * 2).value
    }

    private func refreshed(
        unless isUsable: @escaping @Sendable (StoredSession) -> Bool
    ) async throws(AccountError) -> StoredSession {
        do { return try await refresher.refreshed(unless: isUsable) } catch { throw AccountError(error) }
    }

    package func finishTutorial() async throws(AccountError) {
        try await store.updateLaunch { $0.isTutorialSeen = true }
    }

    package func hasAutoLoginConsent() async -> Bool { await store.load().launch.hasAutoLoginConsent }

    package func setAutoLoginConsent(_ isGiven: Bool) async throws(AccountError) {
        try await store.updateLaunch { launch in
            if isGiven {
                launch.isConsentWithdrawn = nil
            } else if launch.hasAutoLoginConsent {
                launch.isConsentWithdrawn = true
            }
            launch.hasAutoLoginConsent = isGiven
        }
    }
}
