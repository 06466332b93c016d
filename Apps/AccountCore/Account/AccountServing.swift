package import AppLanguage

/// The account of the user: the launch, sign-up, login, the profile, and the session on this machine.
///
/// Every call can be cancelled; it then throws ``AccountError/cancelled`` and the request ends down to the socket. A call
/// that throws has stored nothing.
package protocol AccountServing: Sendable {
    // MARK: Launch

    /// Compares the version of the app with the one that the server requires, within three seconds.
    func checkVersion() async -> VersionCheck

    /// Decides where the launch leads, from the stored state and the server. A token is refreshed once if necessary.
    func restoreSession() async -> LaunchDecision

    /// Stores that the user has seen the tutorial.
    func finishTutorial() async throws(AccountError)

    /// Whether the user has consented to automatic login.
    func hasAutoLoginConsent() async -> Bool

    /// Stores whether the user consents to automatic login. After a withdrawal, the next launch ends the session.
    func setAutoLoginConsent(_ isGiven: Bool) async throws(AccountError)

    // MARK: Session

    /// The session on this machine, without a request.
    func session() async -> AccountSession

    /// Returns a stream of the current session and of every later one.
    func sessions() async -> AsyncStream<AccountSession>

    /// Signs in with id and password.
    func login(id: String, password: String) async throws(AccountError) -> AccountResult<Profile>

    /// Continues without an account.
    func continueAsGuest() async throws(AccountError)

    /// Ends the session on this machine and on the server. Succeeds without a network, and says so.
    ///
    /// - Parameter whenEnded: called when the session on this machine has ended, before the server is asked.
    /// - Returns: whether the session has ended on the server too.
    /// - Throws: ``AccountError`` if the session on this machine could not be ended; `whenEnded` is not called then.
    func logout(whenEnded: @escaping @Sendable @MainActor () -> Void) async throws(AccountError) -> LogoutResult

    // MARK: Sign-up

    /// Requests a verification code for a telephone number.
    func requestCode(phone: String) async throws(AccountError) -> CodeRequest

    /// The code that was requested last, also by an earlier process, with the time that is left; `nil` if it has expired or was
    /// entered. Nothing is requested.
    func pendingCodeRequest() async -> CodeRequest?

    /// Verifies the code that was requested last.
    func verify(code: String) async throws(AccountError)

    /// Whether a telephone number was verified for a sign-up that is not finished, also by an earlier process. Nothing is
    /// requested; the server may have forgotten it.
    func isVerified(phone: String) async -> Bool

    /// Creates the account for the verified number, and signs in.
    func signUp(_ form: SignUpForm) async throws(AccountError) -> AccountResult<Profile>

    // MARK: Account

    /// Loads the profile from the server.
    func loadProfile() async throws(AccountError) -> AccountResult<Profile>

    /// Changes the nickname.
    func changeNickname(_ nickname: String) async throws(AccountError) -> AccountResult<Profile>

    /// Changes values of the profile.
    func updateProfile(_ change: ProfileChange) async throws(AccountError) -> AccountResult<Profile>

    /// Replaces the token for push messages.
    func updatePushToken(_ token: String) async throws(AccountError)

    /// Enters the queue (`true`) or leaves it, and returns the status.
    func setQueued(_ isQueued: Bool) async throws(AccountError) -> QueueStatus

    /// Loads the status of the queue.
    func queueStatus() async throws(AccountError) -> QueueStatus

    /// Changes the password; every other session ends.
    func changePassword(from old: String, to new: String) async throws(AccountError)

    /// Deletes the account on the server and the session on this machine. The todos stay.
    func withdraw(password: String) async throws(AccountError)

    // MARK: Outside providers

    /// The configured providers, in the order in which they are shown.
    var providers: [DeviceProvider] { get }

    /// Signs in with an outside provider by a code that the user enters on another device. Ending the iteration cancels.
    func signIn(with provider: DeviceProvider) -> AsyncStream<DeviceSignIn>
}

extension AccountServing {
    /// Ends the session on this machine and on the server. Succeeds without a network, and says so.
    package func logout() async throws(AccountError) -> LogoutResult { try await logout {} }
}

/// A value with the status of the response that contained it.
package struct AccountResult<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value
    /// The status of the response, such as 200 or 201.
    package let status: Int

    /// Creates a result.
    package init(_ value: Value, status: Int) { (self.value, self.status) = (value, status) }
}

extension AccountResult: Equatable where Value: Equatable {}

/// The session on this machine.
package enum AccountSession: Hashable, Sendable {
    /// The user is not signed in.
    case signedOut
    /// The user continues without an account.
    case guest
    /// The user is signed in.
    case signedIn(Profile)

    /// The profile, if the user is signed in.
    package var profile: Profile? {
        if case .signedIn(let profile) = self { profile } else { nil }
    }
}

/// The result of a logout. The session on this machine has ended in every case.
package enum LogoutResult: Hashable, Sendable {
    /// The session has ended on the server too.
    case everywhere
    /// The server could not be reached: its session ends when its tokens expire.
    case onThisMachineOnly

    /// The text for the user.
    package var text: LocalizedText {
        switch self {
        case .everywhere: LocalizedText("Logged out.", ko: "로그아웃했습니다.")
        case .onThisMachineOnly:
            LocalizedText(
                "Logged out on this machine. The server could not be reached; its session ends by itself within 30 days.",
                ko: "이 컴퓨터에서 로그아웃했습니다. 서버에 연결할 수 없어 서버의 세션은 30일 안에 만료됩니다."
            )
        }
    }
}

/// A verification code that was requested.
package struct CodeRequest: Hashable, Sendable {
    /// The number of digits of the code.
    package let length: Int
    /// How long the code is valid, in seconds.
    package let validSeconds: Int
    /// After how many seconds another code can be requested.
    package let resendSeconds: Int
    /// The message that the embedded backend delivers on this machine; `nil` for a server, which sends it to the number.
    package let message: LocalizedText?
    /// The code in the message; `nil` if there is no message, or no code in it.
    package let code: String?

    /// Creates a request.
    package init(
        length: Int,
        validSeconds: Int,
        resendSeconds: Int,
        message: LocalizedText? = nil,
        code: String? = nil
    ) {
        (self.length, self.validSeconds, self.resendSeconds) = (length, validSeconds, resendSeconds)
        (self.message, self.code) = (message, code)
    }
}

/// The status of the queue.
package struct QueueStatus: Codable, Hashable, Sendable {
    /// Whether the user is in the queue.
    package let isQueued: Bool
    /// The position in the queue, from 1; 0 outside it.
    package let position: Int
    /// The number of users in the queue.
    package let count: Int

    /// Creates a status.
    package init(isQueued: Bool, position: Int, count: Int) {
        (self.isQueued, self.position, self.count) = (isQueued, position, count)
    }
}
