package import AccountCore
package import AppLanguage
import Foundation
import Testing

/// An account in memory, whose results the test decides. It records the calls; the test compares them.
@MainActor
package final class FakeAccount: AccountServing {
    /// A call of the account.
    package enum Call: Equatable {
        case checkVersion, restoreSession, finishTutorial
        case setConsent(Bool)
        case login(id: String, password: String)
        case continueAsGuest, logout
        case requestCode(String)
        case verify(String)
        case signUp(SignUpForm)
        case changeNickname(String)
        case updateProfile(ProfileChange)
        case updatePushToken(String)
        case setQueued(Bool)
        case changePassword(String, String)
        case withdraw(String)
        case signIn(String)
    }

    /// The result of the version check.
    package var version = VersionCheck.current
    /// The result of the restored session.
    package var decision: LaunchDecision
    /// Whether the user has consented to automatic login.
    package var hasConsent = false
    /// The profile of a login or a sign-up.
    package var profile = Profile(id: "maxdog", nickname: "Max", phone: "+821012345678", birth: "2001-03-09")
    /// The error that every call throws.
    package var failure: AccountError?
    /// Whether calls wait for ``release()``, as for a slow server.
    package var isHeld = false
    /// The result of a logout, and whether it waits for ``release()`` after the session on this machine has ended.
    package var (revocation, isRevocationHeld) = (LogoutResult.everywhere, false)
    /// Whether the status of the queue waits for ``release()``.
    package var isQueueHeld = false
    /// The code of the sign-up; another one is wrong.
    package var code = "123456"
    /// The code that an earlier process has requested.
    package var pendingCode: CodeRequest?
    /// The steps of a sign-in with an outside provider.
    package var deviceSteps: [DeviceSignIn] = []
    /// The sign-ins with an outside provider, which can be continued after ``deviceSteps``.
    package private(set) var devicePolls: [AsyncStream<DeviceSignIn>.Continuation] = []
    /// The number of sign-ins with an outside provider that were cancelled.
    package private(set) var deviceCancellations = 0
    /// The number of calls that were cancelled while they waited.
    package private(set) var cancellations = 0
    /// The calls so far.
    package private(set) var calls: [Call] = []

    package nonisolated let providers: [DeviceProvider]

    private var present: AccountSession
    private var observers: [AsyncStream<AccountSession>.Continuation] = []
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var next = 0

    /// Creates an account whose launch leads to a branch.
    package init(branch: LaunchBranch, notices: [LocalizedText] = [], providers: [DeviceProvider] = FakeAccount.both) {
        decision = LaunchDecision(branch, notices: notices)
        self.providers = providers
        present =
            switch branch {
            case .main(let profile): profile.map { .signedIn($0) } ?? .guest
            default: .signedOut
            }
    }

    /// Two providers with the names of T9.
    package nonisolated static let both = ["Google", "Facebook"].map {
        DeviceProvider(name: $0, endpoints: .issuer("http://provider.test"), clientID: "dog")
    }

    /// Returns the calls since the last time.
    package func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// The number of calls that wait.
    package var waitingCount: Int { waiting.count }

    /// Continues the calls that wait.
    package func release() {
        isHeld = false
        let all = waiting.values
        waiting = [:]
        for continuation in all { continuation.resume() }
    }

    private func perform(_ call: Call) async throws(AccountError) {
        calls.append(call)
        if isHeld { await wait() }
        if Task.isCancelled {
            cancellations += 1
            throw .cancelled
        }
        if let failure { throw failure }
    }

    private func wait() async {
        next += 1
        let id = next
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting[id] = $0 }
        } onCancel: {
            Task { @MainActor in self.waiting.removeValue(forKey: id)?.resume() }
        }
    }

    /// Ends the session, as a server does that refuses its tokens.
    package func endSession() { set(.signedOut) }

    private func set(_ session: AccountSession) {
        present = session
        for observer in observers { observer.yield(session) }
    }

    // MARK: - AccountServing

    package func checkVersion() async -> VersionCheck {
        calls.append(.checkVersion)
        if isHeld { await wait() }
        return version
    }

    package func restoreSession() async -> LaunchDecision {
        calls.append(.restoreSession)
        if isHeld { await wait() }
        return decision
    }

    package func finishTutorial() async throws(AccountError) { try await perform(.finishTutorial) }

    package func hasAutoLoginConsent() async -> Bool { hasConsent }

    package func setAutoLoginConsent(_ isGiven: Bool) async throws(AccountError) {
        calls.append(.setConsent(isGiven))
        hasConsent = isGiven
    }

    package func session() async -> AccountSession { present }

    package func sessions() async -> AsyncStream<AccountSession> {
        let (stream, continuation) = AsyncStream.makeStream(of: AccountSession.self)
        observers.append(continuation)
        continuation.yield(present)
        return stream
    }

    package func login(id: String, password: String) async throws(AccountError) -> AccountResult<Profile> {
        try await perform(.login(id: id, password: password))
        set(.signedIn(profile))
        return AccountResult(profile, status: 200)
    }

    package func continueAsGuest() async throws(AccountError) {
        try await perform(.continueAsGuest)
        set(.guest)
    }

    package func logout(
        whenEnded: @escaping @Sendable @MainActor () -> Void
    ) async throws(AccountError) -> LogoutResult {
        try await perform(.logout)
        set(.signedOut)
        whenEnded()
        if isRevocationHeld { await wait() }
        return revocation
    }

    package func requestCode(phone: String) async throws(AccountError) -> CodeRequest {
        try await perform(.requestCode(phone))
        return CodeRequest(
            length: 6,
            validSeconds: 600,
            resendSeconds: 30,
            message: LocalizedText("Your code is \(code)", ko: "인증번호는 \(code)입니다")
        )
    }

    package func pendingCodeRequest() async -> CodeRequest? { pendingCode }

    package func verify(code: String) async throws(AccountError) {
        try await perform(.verify(code))
        if code != self.code { throw .wrongCode }
    }

    package func isVerified(phone: String) async -> Bool { false }

    package func signUp(_ form: SignUpForm) async throws(AccountError) -> AccountResult<Profile> {
        try await perform(.signUp(form))
        profile = Profile(id: form.id, nickname: form.nickname, birth: form.birth, email: form.email)
        set(.signedIn(profile))
        return AccountResult(profile, status: 201)
    }

    package func loadProfile() async throws(AccountError) -> AccountResult<Profile> {
        if failure == .sessionEnded {
            set(.signedOut)
            throw .sessionEnded
        }
        return AccountResult(profile, status: 200)
    }

    package func changeNickname(_ nickname: String) async throws(AccountError) -> AccountResult<Profile> {
        try await perform(.changeNickname(nickname))
        profile.nickname = nickname
        set(.signedIn(profile))
        return AccountResult(profile, status: 200)
    }

    package func updateProfile(_ change: ProfileChange) async throws(AccountError) -> AccountResult<Profile> {
        try await perform(.updateProfile(change))
        profile.birth = change.birth ?? profile.birth
        profile.email = change.email ?? profile.email
        profile.gender = change.gender ?? profile.gender
        set(.signedIn(profile))
        return AccountResult(profile, status: 200)
    }

    package func updatePushToken(_ token: String) async throws(AccountError) {
        try await perform(.updatePushToken(token))
    }

    package func setQueued(_ isQueued: Bool) async throws(AccountError) -> QueueStatus {
        try await perform(.setQueued(isQueued))
        return QueueStatus(isQueued: isQueued, position: isQueued ? 3 : 0, count: isQueued ? 3 : 2)
    }

    package func queueStatus() async throws(AccountError) -> QueueStatus {
        if isQueueHeld { await wait() }
        return QueueStatus(isQueued: false, position: 0, count: 2)
    }

    package func changePassword(from old: String, to new: String) async throws(AccountError) {
        try await perform(.changePassword(old, new))
    }

    package func withdraw(password: String) async throws(AccountError) {
        try await perform(.withdraw(password))
        set(.signedOut)
    }

    package nonisolated func signIn(with provider: DeviceProvider) -> AsyncStream<DeviceSignIn> {
        AsyncStream { continuation in
            continuation.onTermination = {
                guard case .cancelled = $0 else { return }
                Task { @MainActor in self.deviceCancellations += 1 }
            }
            Task { @MainActor in
                self.calls.append(.signIn(provider.name))
                self.devicePolls.append(continuation)
                for step in self.deviceSteps { continuation.yield(step) }
                if self.deviceSteps.last?.isLast == true { continuation.finish() }
            }
        }
    }
}

extension DeviceSignIn {
    fileprivate var isLast: Bool {
        switch self {
        case .requesting, .waiting: false
        case .finished, .denied, .expired, .failed: true
        }
    }
}
