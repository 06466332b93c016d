import EssentialFoundation
import NetworkProvider

/// The sign-up and the account of the session.
extension AccountService {
    // MARK: Sign-up

    /// The longest time that a code is valid, or another one cannot be requested, in seconds.
    private static let longestCode = 86_400

    package func requestCode(phone: String) async throws(AccountError) -> CodeRequest {
        guard let number = AccountValidator.normalizedPhone(phone) else { throw .invalid(.phone) }
        let body = try await open.result(AccountTargets.RequestCode(base: base, phone: number)).value
        let now = options.now()
        // The numbers of a server may be anything.
        let valid = min(max(0, body.valid), Self.longestCode), resend = min(max(0, body.resend), Self.longestCode)
        let length = min(max(1, body.length), 12)
        let code = PendingCode(
            phone: number,
            request: body.request,
            length: length,
            expires: now.addingTimeInterval(Double(valid)),
            resends: now.addingTimeInterval(Double(resend))
        )
        requestedCode = code
        // Only a start after a kill reads it: the code can be entered although it was not stored.
        try? await store.set(code)
        let message = outbox?.takeMessage(for: number)
        return CodeRequest(
            length: length,
            validSeconds: valid,
            resendSeconds: resend,
            message: message?.text,
            code: message?.code
        )
    }

    package func verify(code: String) async throws(AccountError) {
        guard AccountValidator.validity(of: code, as: .code).isValid else { throw .invalid(.code) }
        guard let request = await pendingCode() else { throw .codeEnded }
        let target = AccountTargets.CheckCode(base: base, request: request.request, code: code)
        let body = try await open.result(target).value
        try await store.set(PendingSignUp(phone: request.phone, idToken: body.idtoken))
        // A guest who does not finish the sign-up stays a guest.
        if await session() == .signedOut { try await store.setServerState(ServerState(.successLogin)) }
        requestedCode = nil
        try? await store.set(PendingCode?.none)
    }

    package func pendingCodeRequest() async -> CodeRequest? {
        guard let code = await pendingCode() else { return nil }
        let now = options.now()
        let valid = code.expires.timeIntervalSince(now).rounded(.up)
        let resend = max(0, code.resends.timeIntervalSince(now).rounded(.up))
        // A longer time is that of a clock that was ahead.
        guard valid > 0, max(valid, resend) <= Double(Self.longestCode) else { return nil }
        return CodeRequest(length: code.length, validSeconds: Int(valid), resendSeconds: Int(resend))
    }

    private func pendingCode() async -> PendingCode? {
        if requestedCode == nil { requestedCode = try? await store.pendingCode() }
        return requestedCode
    }

    package func isVerified(phone: String) async -> Bool {
        guard let pending = try? await store.pendingSignUp() else { return false }
        return pending.phone == AccountValidator.normalizedPhone(phone)
    }

    package func signUp(_ form: SignUpForm) async throws(AccountError) -> AccountResult<Profile> {
        if let field = form.firstInvalidField { throw .invalid(field) }
        guard !AccountValidator.isCommonPassword(form.password, id: form.id) else { throw .commonPassword }
        guard let pending = try await store.pendingSignUp() else { throw .notVerified }
        let target = AccountTargets.SignUp(base: base, form: form, pending: pending, pushToken: "")
        let result: AccountResult<SignedInBody>
        do throws(AccountError) {
            result = try await open.result(target)
        } catch {
            // The number has to be verified again, also after a restart.
            if error == .notVerified {
                if await session() == .signedOut { try await store.setServerState(ServerState()) }
                try await store.set(PendingSignUp?.none)
            }
            throw error
        }
        let profile = try await signedIn(result)
        // Harmless if it stays: the server has used it.
        try? await store.set(PendingSignUp?.none)
        return profile
    }

    // MARK: Account

    package func loadProfile() async throws(AccountError) -> AccountResult<Profile> {
        try await loadProfile(within: .seconds(20))
    }

    func loadProfile(within limit: Duration) async throws(AccountError) -> AccountResult<Profile> {
        try await changedProfile(AccountTargets.LoadProfile(base: base, limit: limit))
    }

    package func changeNickname(_ nickname: String) async throws(AccountError) -> AccountResult<Profile> {
        guard AccountValidator.validity(of: nickname, as: .nickname).isValid else { throw .invalid(.nickname) }
        return try await changedProfile(AccountTargets.ChangeNickname(base: base, nickname: nickname))
    }

    package func updateProfile(_ change: ProfileChange) async throws(AccountError) -> AccountResult<Profile> {
        for (text, field) in [
            (change.nickname, AccountField.nickname), (change.birth, .birth), (change.email, .email),
        ] {
            guard text.map({ AccountValidator.validity(of: $0, as: field).isValid }) ?? true else {
                throw .invalid(field)
            }
        }
        return try await changedProfile(AccountTargets.UpdateProfile(base: base, change: change))
    }

    /// Sends a target whose response is the profile, and stores the profile.
    private func changedProfile<Target: AccountTarget>(
        _ target: Target
    ) async throws(AccountError) -> AccountResult<Profile> where Target.Value == Profile {
        let number = sessionNumber
        let result = try await sendSignedIn(target)
        try await changingSession(of: number) { () async throws(AccountError) in
            guard present.profile != result.value else { return }
            try await store.setServerState(ServerState(.alreadySignUp, profile: result.value))
            publish(.signedIn(result.value))
        }
        return result
    }

    package func updatePushToken(_ token: String) async throws(AccountError) {
        _ = try await sendSignedIn(AccountTargets.UpdatePushToken(base: base, token: token))
    }

    package func setQueued(_ isQueued: Bool) async throws(AccountError) -> QueueStatus {
        try await sendSignedIn(AccountTargets.SetQueued(base: base, isQueued: isQueued)).value
    }

    package func queueStatus() async throws(AccountError) -> QueueStatus {
        try await sendSignedIn(AccountTargets.LoadQueueStatus(base: base)).value
    }

    package func changePassword(from old: String, to new: String) async throws(AccountError) {
        guard AccountValidator.validity(of: new, as: .password).isValid else { throw .invalid(.password) }
        let number = sessionNumber
        let result = try await sendSignedIn(AccountTargets.ChangePassword(base: base, old: old, new: new))
        _ = try await signedIn(result, continuing: number)
    }

    package func withdraw(password: String) async throws(AccountError) {
        let number = sessionNumber
        _ = try await sendSignedIn(AccountTargets.Withdraw(base: base, password: password))
        // The account is gone, whether the session has ended already, and whether its end can be stored or not: what stays is
        // refused by the server at the next start.
        try? await changingSession(of: number) { () async throws(AccountError) in
            start(nil)
            publish(.signedOut)
            try? await store.setServerState(ServerState())
            try? await store.set(StoredSession?.none)
        }
    }
}
