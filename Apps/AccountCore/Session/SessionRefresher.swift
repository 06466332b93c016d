import EssentialFoundation
import NetworkProvider

/// Replaces the tokens of the session when the server refuses them or they expire.
///
/// One refresh at a time in all processes: a second process that refreshes with the same rotating token would look like a
/// thief. The holder of the lock reads the stored tokens again, since another process may have refreshed them before.
struct SessionRefresher: Sendable {
    let store: AccountStore
    let now: @Sendable () -> Date
    /// Requests new tokens for a refresh token.
    let request: @Sendable (StoredSession) async throws -> StoredSession

    /// Returns a credential in place of a refused one.
    ///
    /// - Parameters:
    ///   - refused: the refused credential.
    ///   - signIn: the sign-in to which it belongs. Another process may have replaced it, even by that of another user.
    /// - Returns: the credential of the same sign-in.
    /// - Throws: ``AccountError/sessionEnded`` if the server refuses the refresh token; the stored session is then removed.
    ///   Any other error leaves it as it is, as does another sign-in, which is ``AccountError/sessionEnded``, too.
    func refresh(_ refused: Credential, of signIn: String?) async throws -> Credential {
        let session = try await refreshed {
            $0.signIn != signIn || $0.credential != refused && !$0.hasSameToken(as: refused)
        }
        guard session.signIn == signIn else { throw AccountError.sessionEnded }
        return session.credential
    }

    /// Returns the stored session, refreshed unless `isUsable`.
    ///
    /// - Throws: ``AccountError/cancelled`` if the user has logged out, or logged in again, during the request.
    func refreshed(unless isUsable: @Sendable (StoredSession) -> Bool) async throws -> StoredSession {
        try await store.refreshLock.withLock {
            guard let stored = try await store.session() else { throw AccountError.sessionEnded }
            if isUsable(stored) { return stored }
            let response: StoredSession?
            do { response = try await request(stored) } catch AccountError.sessionEnded { response = nil }
            let fresh = response.map { $0.continuing(stored) }
            guard try await store.replaceSession(stored, by: fresh) else { throw AccountError.cancelled }
            guard let fresh else { throw AccountError.sessionEnded }
            return fresh
        }
    }
}

extension StoredSession {
    /// Creates the session of a server's tokens.
    init(_ tokens: TokenPair, now: Date) {
        self.init(
            access: tokens.access,
            refresh: tokens.refresh,
            expires: now.addingTimeInterval(Double(tokens.lifetime))
        )
    }

    /// Returns the session that a refresh of another one has started.
    func continuing(_ session: StoredSession) -> StoredSession {
        // A provider that does not rotate its refresh token returns none.
        StoredSession(
            access: access,
            refresh: refresh ?? session.refresh,
            expires: expires,
            provider: session.provider,
            signIn: session.signIn
        )
    }

    /// The access token as a credential.
    var credential: Credential { .bearer(access, expires: expires) }

    func hasSameToken(as credential: Credential) -> Bool {
        if case .bearer(let token, _) = credential { token == access } else { false }
    }
}
