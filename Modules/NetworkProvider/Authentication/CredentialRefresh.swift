import Locking

/// Holds the credential of all requests and refreshes it, one refresh at a time.
///
/// Every change of the credential, and every refresh that failed, begins a new epoch. A request remembers the epoch it
/// was sent in; when it is refused in a later one, somebody else has refreshed already, and the outcome of that holds.
final class CredentialKeeper: Sendable {
    typealias Refresh = @Sendable (Credential) async throws -> Credential

    /// The credential that a request was sent with.
    struct Pass {
        let credential: Credential
        let epoch: UInt64
    }

    private struct State {
        var credential: Credential?
        var epoch: UInt64 = 0
        /// Why the refresh that ended the epoch before this one failed; nil when it went well.
        var failure: AuthenticationError?
        /// The epoch that a refresh is under way to end; nil while there is none.
        var refreshing: UInt64?
        var lastWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]

        /// Begins the next epoch and gives those who wait for it.
        mutating func endEpoch(failure: AuthenticationError?) -> [CheckedContinuation<Void, any Error>] {
            epoch += 1
            refreshing = nil
            self.failure = failure
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    /// The keepers whose refresh the current task is part of: its requests must not wait for themselves.
    @TaskLocal static var refreshing: Set<ObjectIdentifier> = []

    private let state: Locked<State>
    private let refresh: Refresh?

    init(_ credential: Credential?, refresh: Refresh?) {
        state = Locked(State(credential: credential))
        self.refresh = refresh
    }

    var isInsideRefresh: Bool { CredentialKeeper.refreshing.contains(ObjectIdentifier(self)) }

    var credential: Credential? { state.withLock { $0.credential } }

    /// Replaces the credential, at sign-in or sign-out. A refresh that is under way is not used any more.
    func replace(_ credential: Credential?) {
        let waiters = state.withLock { state in
            state.credential = credential
            return state.endEpoch(failure: nil)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The credential to send with, once no refresh is under way; nil when there is none.
    func pass() async throws -> Pass? {
        let epoch = state.withLock { $0.refreshing }
        if let epoch { return try await fresh(after: epoch) }
        return current
    }

    /// A credential newer than the one refused in an epoch, by at most one refresh for all who ask.
    /// - Throws: ``AuthenticationError/refreshFailed(_:)``, the same for everybody; `CancellationError` for a waiter
    ///   that was cancelled, while the refresh goes on for the others.
    func fresh(after epoch: UInt64) async throws -> Pass? {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(continuation, number, after: epoch)
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
        return current
    }

    private var current: Pass? {
        state.withLock { state in state.credential.map { Pass(credential: $0, epoch: state.epoch) } }
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
            if state.refreshing != nil { return .wait }
            state.refreshing = epoch
            return .start(credential, epoch: state.epoch)
        }
        switch step {
        case .wait: break
        case .resume(let error?): continuation.resume(throwing: error)
        case .resume(nil): continuation.resume()
        case .start(let credential, let epoch): start(credential, epoch)
        }
    }

    /// Refreshes in a task of its own: the request that asked first may be cancelled, the others still need it.
    private func start(_ credential: Credential, _ epoch: UInt64) {
        guard let refresh else { return finish(.success(credential), epoch) }
        let inside = CredentialKeeper.refreshing.union([ObjectIdentifier(self)])
        Task.detached {
            let outcome: Result<Credential, any Error>
            do {
                outcome = .success(
                    try await CredentialKeeper.$refreshing.withValue(inside) { try await refresh(credential) }
                )
            } catch {
                outcome = .failure(error)
            }
            self.finish(outcome, epoch)
        }
    }

    private func finish(_ outcome: Result<Credential, any Error>, _ epoch: UInt64) {
        let (waiters, failure) = state.withLock { state in
            var failure: AuthenticationError?
            // Replaced meanwhile: nobody waits for this outcome any more.
            guard state.epoch == epoch else { return ([CheckedContinuation<Void, any Error>](), failure) }
            switch outcome {
            case .success(let credential): state.credential = credential
            case .failure(let error): failure = .refreshFailed(error)
            }
            return (state.endEpoch(failure: failure), failure)
        }
        for waiter in waiters {
            if let failure { waiter.resume(throwing: failure) } else { waiter.resume() }
        }
    }
}
