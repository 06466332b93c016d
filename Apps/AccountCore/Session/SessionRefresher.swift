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
    /// - Throws: ``AccountError/sessionEnded`` if the server refuses the refresh token; the stored session is then removed.
    ///   Any other error leaves it as it is.
    func refresh(_ refused: Credential) async throws -> Credential {
        try await refreshed { $0.credential != refused && !$0.hasSameToken(as: refused) }.credential
    }

    /// Returns the stored session, refreshed unless `isUsable`.
    func refreshed(unless isUsable: @Sendable (StoredSession) -> Bool) async throws -> StoredSession {
        try await store.refreshLock.withLock {
            guard let stored = try await store.session() else { throw AccountError.sessionEnded }
            if isUsable(stored) { return stored }
            do {
                var fresh = try await request(stored)
                // A provider that does not rotate its refresh token returns none.
                fresh.refresh = fresh.refresh ?? stored.refresh
                fresh.provider = stored.provider
                try await store.set(fresh)
                return fresh
            } catch AccountError.sessionEnded {
                try await store.set(StoredSession?.none)
                throw AccountError.sessionEnded
            }
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

    /// The access token as a credential.
    var credential: Credential { .bearer(access, expires: expires) }

    func hasSameToken(as credential: Credential) -> Bool {
        if case .bearer(let token, _) = credential { token == access } else { false }
    }
}
