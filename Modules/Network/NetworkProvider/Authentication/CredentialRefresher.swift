import EssentialFoundation
import Threading

/// Holds the credential of all requests and refreshes it, one refresh at a time.
///
/// Every change of the credential, and every refresh that failed, begins a new epoch. A request records the epoch it was
/// sent in. If it is refused in a later epoch, the credential has been refreshed already, and that result is used.
final class CredentialRefresher: Sendable {
    typealias Refresh = @Sendable (Credential) async throws -> Credential

    /// The credential that a request is sent with.
    struct Pass {
        let credential: Credential
        let epoch: UInt64
        /// The number of the credentials that the client had set: each may belong to another user.
        let account: UInt64
    }

    private struct State {
        var credential: Credential?
        /// When the credential is refreshed without having been refused; nil if it does not say when it expires.
        var renewal: Date?
        var epoch: UInt64 = 0
        var account: UInt64 = 0
        var isRefreshing = false
        /// Whether a server has refused the credential of this epoch, and of the last one.
        var isRefused = false
        var wasRefused = false
        /// Why the refresh that ended the last epoch failed; nil if it succeeded.
        var failure: AuthenticationError?
        /// The refreshes in a row that failed, or whose credential has not been accepted yet.
        var unconfirmedRefreshes = 0
        var pausedUntil: ContinuousClock.Instant?

        var pass: Pass? { credential.map { Pass(credential: $0, epoch: epoch, account: account) } }

        mutating func endEpoch(failure: AuthenticationError?) {
            epoch += 1
            isRefreshing = false
            (isRefused, wasRefused) = (false, isRefused)
            self.failure = failure
        }
    }

    /// The refreshers whose refresh the current task is part of: its requests must not wait for themselves.
    @TaskLocal static var refreshing: Set<ObjectIdentifier> = []

    private let state: Locked<State>
    private let limits: AuthenticationPlugin.Refreshing
    private let now: @Sendable () -> Date
    private let refresh: Refresh?
    /// The refresh of each epoch. The request that started it may be cancelled, and many refresh tokens can be used only once.
    private let refreshes = SingleFlight<UInt64, Void>(continuesWithoutCallers: true)

    init(
        _ credential: Credential?,
        _ limits: AuthenticationPlugin.Refreshing,
        now: @escaping @Sendable () -> Date,
        refresh: Refresh?
    ) {
        state = Locked(
            State(
                credential: credential,
                renewal: CredentialRefresher.renewal(of: credential, now: now(), leeway: limits.leeway)
            )
        )
        self.limits = limits
        self.now = now
        self.refresh = refresh
    }

    var isInsideRefresh: Bool { CredentialRefresher.refreshing.contains(ObjectIdentifier(self)) }

    var credential: Credential? { state.withLock { $0.credential } }

    /// Replaces the credential, at sign-in or sign-out. The result of a refresh under way is ignored.
    func replace(_ credential: Credential?) {
        let renewal = CredentialRefresher.renewal(of: credential, now: now(), leeway: limits.leeway)
        let epoch = state.withLock { state in
            defer { state.endEpoch(failure: nil) }
            if state.credential != credential { state.account += 1 }
            state.credential = credential
            state.renewal = renewal
            state.unconfirmedRefreshes = 0
            state.pausedUntil = nil
            return state.epoch
        }
        refreshes.finish(epoch, with: .success(()))
    }

    /// Returns the credential to send with, after any refresh under way; nil without one. A credential that is about
    /// to expire is refreshed first; if that fails before it has expired or been refused, it is still used.
    func current(within limit: Duration?) async throws -> Pass? {
        let now = now()
        let (current, isRefreshing, isDue) = state.withLock { state in
            (state.pass, state.isRefreshing, state.renewal.map { $0 <= now } ?? false)
        }
        guard let current, isRefreshing || isDue && refresh != nil && !isPaused else { return current }
        do {
            return try await refreshed(after: current, isRefused: false, within: limit)
        } catch AuthenticationError.refreshFailed(let reason) {
            let error = AuthenticationError.refreshFailed(reason)
            guard let expires = current.credential.expires, expires > now else { throw error }
            let (pass, wasRefused) = state.withLock { ($0.pass, $0.wasRefused) }
            guard !wasRefused else { throw error }
            return pass
        }
    }

    /// Records that a server accepted a credential: a later refusal is an expiry.
    func accepted(_ pass: Pass) {
        state.withLock { state in
            guard state.epoch == pass.epoch, state.unconfirmedRefreshes > 0, state.failure == nil else { return }
            state.unconfirmedRefreshes = 0
            state.pausedUntil = nil
        }
    }

    /// Returns whether a refusal may start or join a refresh; false during a pause after refreshes that did not help.
    /// - Throws: the error of the last refresh, if that failed.
    func mayRefresh(after pass: Pass) throws(AuthenticationError) -> Bool {
        guard isPaused else { return true }
        let (isCurrent, failure) = state.withLock { ($0.epoch == pass.epoch && !$0.isRefreshing, $0.failure) }
        guard isCurrent else { return true }
        if let failure { throw failure }
        return false
    }

    /// Returns a newer credential than a request was sent with, by at most one refresh for all callers.
    /// - Throws: ``AuthenticationError/refreshFailed(_:)``, the same for all callers;
    ///   ``AuthenticationError/credentialReplaced`` if the client has set another one; `CancellationError` for a caller that
    ///   is cancelled, and a timeout for one whose time limit has passed, while the refresh continues for the others.
    func refreshed(after pass: Pass, isRefused: Bool, within limit: Duration?) async throws -> Pass {
        if isRefused { state.withLock { if $0.epoch == pass.epoch { $0.isRefused = true } } }
        let outcome = await withTimeLimit(limit) { [self] () -> Result<Void, any Error> in
            do {
                return .success(try await refreshes.value(for: pass.epoch) { _ in try await self.refresh(pass) })
            } catch {
                return .failure(error)
            }
        }
        try Task.checkCancellation()
        guard let outcome else {
            let detail = "waited for the refresh of the credential until the request's total time was over"
            throw HTTPTransportError(.timedOut(.total), detail: detail)
        }
        try outcome.get()
        guard let fresh = state.withLock({ $0.pass }), fresh.account == pass.account else {
            throw AuthenticationError.credentialReplaced
        }
        return fresh
    }

    /// The leeway before the expiry, but at most a quarter of the lifetime: a credential that is valid for a few seconds
    /// only must not be refreshed by every request.
    private static func renewal(of credential: Credential?, now: Date, leeway: Duration) -> Date? {
        guard let expires = credential?.expires else { return nil }
        let lifetime = max(0, expires.timeIntervalSince(now))
        return expires.addingTimeInterval(-min(leeway / .seconds(1), lifetime / 4))
    }

    private var isPaused: Bool { state.withLock { $0.pausedUntil.map { ContinuousClock.now < $0 } ?? false } }

    /// Refreshes the credential of an epoch.
    /// - Throws: the failure of the refresh, also if the epoch had ended with it already.
    private func refresh(_ pass: Pass) async throws {
        let (credential, failure) = state.withLock { state -> (Credential?, AuthenticationError?) in
            guard state.epoch == pass.epoch else { return (nil, state.failure) }
            state.isRefreshing = true
            return (state.credential, nil)
        }
        if let failure { throw failure }
        guard let credential, let refresh else { return }
        let limit = limits.timeLimit
        // A refresh that ignores its cancellation must not hold up the requests either.
        let timer = Task.detached { [weak self] in
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            self?.finish(.failure(RefreshTimedOut(limit: limit)), pass.epoch)
        }
        defer { timer.cancel() }
        let inside = CredentialRefresher.refreshing.union([ObjectIdentifier(self)])
        // Detached, since it is not part of the request that started it.
        let task = Task.detached {
            try await CredentialRefresher.$refreshing.withValue(inside) { try await refresh(credential) }
        }
        finish(
            await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            },
            pass.epoch
        )
    }

    /// Ends an epoch with the result of its refresh, unless it has been ended by a new credential or by the time limit.
    private func finish(_ result: Result<Credential, any Error>, _ epoch: UInt64) {
        let renewal = CredentialRefresher.renewal(of: try? result.get(), now: now(), leeway: limits.leeway)
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            guard state.epoch == epoch, state.isRefreshing else { return nil }
            var failure: AuthenticationError?
            switch result {
            case .success(let credential): (state.credential, state.renewal) = (credential, renewal)
            case .failure(let error): failure = .refreshFailed(error)
            }
            state.unconfirmedRefreshes += 1
            if state.unconfirmedRefreshes >= 2 {
                let pause = limits.pause.seconds(doubled: state.unconfirmedRefreshes - 2)
                state.pausedUntil = .now + .seconds(min(pause, 60))
            }
            state.endEpoch(failure: failure)
            return failure.map { .failure($0) } ?? .success(())
        }
        guard let outcome else { return }
        let task = refreshes.finish(epoch, with: outcome)
        if case .failure = outcome { task?.cancel() }
    }
}

/// A refresh took longer than ``AuthenticationPlugin/Refreshing/timeLimit``.
struct RefreshTimedOut: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "the refresh did not end within \(limit)" }
}
