import Threading

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    }

    private struct State {
        var credential: Credential?
        /// When the credential is refreshed without having been refused; nil if it does not say when it expires.
        var renewal: Date?
        var epoch: UInt64 = 0
        /// Why the refresh that ended the last epoch failed; nil if it succeeded.
        var failure: AuthenticationError?
        /// The refresh under way.
        var task: Task<Void, Never>?
        /// Ends the refresh under way after its time limit.
        var timer: Task<Void, Never>?
        var isRefreshing = false
        var lastWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        /// The refreshes in a row that failed, or whose credential has not been accepted yet.
        var uselessRefreshes = 0
        var pausedUntil: ContinuousClock.Instant?

        /// Begins the next epoch and returns the waiters for it.
        mutating func endEpoch(failure: AuthenticationError?) -> [CheckedContinuation<Void, any Error>] {
            epoch += 1
            isRefreshing = false
            task = nil
            timer?.cancel()
            timer = nil
            self.failure = failure
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    /// The refreshers whose refresh the current task is part of: its requests must not wait for themselves.
    @TaskLocal static var refreshing: Set<ObjectIdentifier> = []

    private let state: Locked<State>
    private let limits: AuthenticationPlugin.Refreshing
    private let now: @Sendable () -> Date
    private let refresh: Refresh?

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
        let waiters = state.withLock { state in
            state.credential = credential
            state.renewal = renewal
            state.uselessRefreshes = 0
            state.pausedUntil = nil
            return state.endEpoch(failure: nil)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns the credential to send with, after any refresh under way; nil if there is none. A credential that is about
    /// to expire is refreshed first; if that fails before it has expired, it is still used.
    func current(within limit: Duration?) async throws -> Pass? {
        let (pass, isRefreshing, renewal) = state.withLock { state in
            (CredentialRefresher.pass(state), state.isRefreshing, state.renewal)
        }
        guard let pass else { return nil }
        if isRefreshing { return try await refreshed(after: pass.epoch, within: limit) }
        guard refresh != nil, let renewal, let expires = pass.credential.expires else { return pass }
        let now = now()
        guard renewal <= now, !isPaused else { return pass }
        do {
            return try await refreshed(after: pass.epoch, within: limit)
        } catch let error as AuthenticationError {
            guard expires > now else { throw error }
            return state.withLock { CredentialRefresher.pass($0) }
        }
    }

    /// Records that a server accepted a credential: a later refusal is an expiry.
    func accepted(_ pass: Pass) {
        state.withLock { state in
            guard state.epoch == pass.epoch, state.uselessRefreshes > 0, state.failure == nil else { return }
            state.uselessRefreshes = 0
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

    /// Returns a newer credential than the one of an epoch, by at most one refresh for all callers.
    /// - Throws: ``AuthenticationError/refreshFailed(_:)``, the same for all callers; `CancellationError` for a caller that
    ///   is cancelled, and a timeout for one whose time limit has passed, while the refresh continues for the others.
    func refreshed(after epoch: UInt64, within limit: Duration?) async throws -> Pass? {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = limit.map { limit in
            Task {
                guard (try? await Task.sleep(for: max(limit, .zero))) != nil else { return }
                let detail = "waited for the refresh of the credential until the request's total time was over"
                end(number, HTTPTransportError(.timedOut(.total), detail: detail))
            }
        }
        defer { timer?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in wait(continuation, number, after: epoch) }
        } onCancel: {
            end(number, CancellationError())
        }
        return state.withLock { CredentialRefresher.pass($0) }
    }

    /// The leeway before the expiry, but at most a quarter of the lifetime: a credential that is valid for a few seconds
    /// only must not be refreshed by every request.
    private static func renewal(of credential: Credential?, now: Date, leeway: Duration) -> Date? {
        guard let expires = credential?.expires else { return nil }
        let lifetime = max(0, expires.timeIntervalSince(now))
        return expires.addingTimeInterval(-min(leeway / .seconds(1), lifetime / 4))
    }

    private static func pass(_ state: State) -> Pass? {
        state.credential.map { Pass(credential: $0, epoch: state.epoch) }
    }

    private var isPaused: Bool { state.withLock { $0.pausedUntil.map { ContinuousClock.now < $0 } ?? false } }

    private func end(_ waiter: UInt64, _ error: any Error) {
        state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(throwing: error)
    }

    private enum Step {
        case resume((any Error)?)
        case wait
        case start(Credential, epoch: UInt64)
    }

    private func wait(_ continuation: CheckedContinuation<Void, any Error>, _ number: UInt64, after epoch: UInt64) {
        // A cancellation that came first found no waiter to resume.
        let isCancelled = Task.isCancelled
        let step = state.withLock { state -> Step in
            if isCancelled { return .resume(CancellationError()) }
            guard state.epoch == epoch else { return .resume(state.failure) }
            guard let credential = state.credential else { return .resume(nil) }
            state.waiters[number] = continuation
            if state.isRefreshing { return .wait }
            state.isRefreshing = true
            return .start(credential, epoch: epoch)
        }
        switch step {
        case .wait: break
        case .resume(let error?): continuation.resume(throwing: error)
        case .resume(nil): continuation.resume()
        case .start(let credential, let epoch): start(credential, epoch)
        }
    }

    /// Refreshes in a separate task: the request that started it may be cancelled while others still wait.
    private func start(_ credential: Credential, _ epoch: UInt64) {
        guard let refresh else { return finish(.success(credential), epoch) }
        let inside = CredentialRefresher.refreshing.union([ObjectIdentifier(self)])
        let task = Task.detached {
            let result: Result<Credential, any Error>
            do {
                let fresh = try await CredentialRefresher.$refreshing.withValue(inside) {
                    try await refresh(credential)
                }
                result = .success(fresh)
            } catch {
                result = .failure(error)
            }
            self.finish(result, epoch)
        }
        let limit = limits.timeLimit
        // A refresh that ignores its cancellation must not hold up the requests either.
        let timer = Task.detached { [weak self] in
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            self?.finish(.failure(RefreshTimedOut(limit: limit)), epoch)
        }
        let isUnderWay = state.withLock { state in
            guard state.epoch == epoch, state.isRefreshing else { return false }
            (state.task, state.timer) = (task, timer)
            return true
        }
        if !isUnderWay { timer.cancel() }
    }

    private func finish(_ result: Result<Credential, any Error>, _ epoch: UInt64) {
        let renewal = CredentialRefresher.renewal(of: try? result.get(), now: now(), leeway: limits.leeway)
        let (waiters, failure, task) = state.withLock { state in
            var failure: AuthenticationError?
            // Ended already, by a new credential or by the time limit.
            guard state.epoch == epoch, state.isRefreshing else {
                return ([CheckedContinuation<Void, any Error>](), failure, Task<Void, Never>?.none)
            }
            switch result {
            case .success(let credential): (state.credential, state.renewal) = (credential, renewal)
            case .failure(let error): failure = .refreshFailed(error)
            }
            state.uselessRefreshes += 1
            if state.uselessRefreshes >= 2 {
                let pause = limits.pause.seconds(doubled: state.uselessRefreshes - 2)
                state.pausedUntil = .now + .seconds(min(pause, 60))
            }
            let task = state.task
            return (state.endEpoch(failure: failure), failure, task)
        }
        if failure != nil { task?.cancel() }
        for waiter in waiters {
            if let failure { waiter.resume(throwing: failure) } else { waiter.resume() }
        }
    }
}

/// A refresh took longer than ``AuthenticationPlugin/Refreshing/timeLimit``.
struct RefreshTimedOut: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "the refresh did not end within \(limit)" }
}
