import LocalProvider
import LocalSecrets

/// Sign-up, login, refresh and logout.
extension AccountBackend {
    /// Creates an account for a verified number, and starts a session.
    ///
    /// A repeated sign-up with the same `idtoken`, id and password has the same result: the first response may be lost.
    func signUp(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        guard let identity = request.headers[FormField.idTokenHeader] else { throw .notVerified }
        let form = request.form
        let draft = try AccountDraft(form)
        let (key, now, policy) = (RecordKey.verified(identity), time, policy)
        let verified: VerifiedRecord = try change { transaction in
            guard let record = try transaction.value(for: key, as: VerifiedRecord.self), now < record.expires,
                AccountValidator.normalizedPhone(form[FormField.phone] ?? "") == record.phone
            else { return .failure(.notVerified) }
            return .success(record)
        }
        if let uid = verified.uid { return try repeatedSignUp(uid, draft) }
        guard !AccountValidator.isCommonPassword(draft.password, id: draft.id) else { throw .commonPassword }
        let hash = try gate.hash(draft.password, cost: policy.passwordCost)
        let account = draft.account(
            uid: OpaqueToken.identifier(),
            phone: verified.phone,
            password: hash,
            created: now
        )
        let issuer = issuer
        let created: SignUpResult = try change { transaction in
            guard var record = try transaction.value(for: key, as: VerifiedRecord.self) else {
                return .failure(.notVerified)
            }
            // The same sign-up, sent twice at the same time.
            if let uid = record.uid { return .success(.repeated(uid)) }
            let reserved = try transaction.value(for: RecordKey.reserved(account.id), as: Int.self) ?? 0
            // A longer time is that of a clock that was ahead.
            let isReserved = now < reserved && reserved <= now + policy.reservation
            let isTaken = try RecordKey.ids(account.id).contains {
                try transaction.value(for: $0, as: String.self) != nil
            }
            guard !isTaken, !isReserved else {
                // An attempt to find ids needs a verified number for each few of them.
                record.takenIDs += 1
                try transaction.set(record.takenIDs < policy.takenIDs ? record : nil, for: key)
                return .failure(.idTaken)
            }
            guard try transaction.value(for: RecordKey.phone(account.phone), as: String.self) == nil else {
                return .failure(.notVerified)
            }
            record.uid = account.uid
            try transaction.set(record, for: key)
            try transaction.set(account, for: RecordKey.account(account.uid))
            try transaction.set(account.uid, for: RecordKey.id(account.id))
            try transaction.set(account.uid, for: RecordKey.phone(account.phone))
            let tokens = try issuer.begin(account.uid, in: &transaction)
            return .success(.created(.json(SignedInBody(profile: account.profile, tokens: tokens), status: 201)))
        }
        switch created {
        case .created(let response): return response
        case .repeated(let uid): return try repeatedSignUp(uid, draft)
        }
    }

    private enum SignUpResult {
        case created(BackendResponse)
        case repeated(_ uid: String)
    }

    private func repeatedSignUp(_ uid: String, _ draft: AccountDraft) throws(BackendFailure) -> BackendResponse {
        let account: AccountRecord = try change { transaction in
            guard let account = try transaction.value(for: RecordKey.account(uid), as: AccountRecord.self),
                AccountValidator.normalizedID(account.id) == AccountValidator.normalizedID(draft.id)
            else { return .failure(.notVerified) }
            return .success(account)
        }
        guard try gate.matches(account.password, draft.password) else { throw .notVerified }
        let issuer = issuer
        return try change { transaction in
            // The password may have been changed, or the account withdrawn, while the hash was compared.
            guard let present = try transaction.value(for: RecordKey.account(uid), as: AccountRecord.self),
                present.password == account.password
            else { return .failure(.notVerified) }
            let tokens = try issuer.begin(uid, in: &transaction)
            return .success(.json(SignedInBody(profile: present.profile, tokens: tokens), status: 201))
        }
    }

    /// Starts a session for an id and a password. An unknown id takes as long as a wrong password, and has the same response.
    func login(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        let form = request.form
        guard let id = form[FormField.id], let password = form[FormField.password] else {
            throw .invalid(field: FormField.id)
        }
        let now = time
        let counter = LoginCounter(policy: policy, now: now, id: id)
        let limiter = AttemptLimiter.address(request.address, policy: policy, now: now)
        let account: AccountRecord? = try change(durability: .written) { transaction in
            let bits = try counter.bits(in: transaction)
            if bits > 0, try !self.isSolved(form, bits: bits, for: id, now: now, in: &transaction) {
                return .failure(.challenged(self.challenges.challenge(for: id, bits: bits, now: now)))
            }
            if let wait = try limiter?.begin(in: &transaction) { return .failure(.throttled(seconds: wait)) }
            try counter.count(in: &transaction)
            let uids = try RecordKey.ids(id).compactMap { try transaction.value(for: $0, as: String.self) }
            guard let uid = uids.first else { return .success(nil) }
            return .success(try transaction.value(for: RecordKey.account(uid), as: AccountRecord.self))
        }
        let hash = account?.password ?? PasswordHash.unmatchable(cost: policy.passwordCost)
        guard try gate.matches(hash, password), let account else { throw .wrongCredentials }
        // The cost may have been raised since the password was set.
        let isOutdated = hash.needsRehash(cost: policy.passwordCost)
        let renewed = isOutdated ? try gate.hash(password, cost: policy.passwordCost) : nil
        let issuer = issuer
        return try change { transaction in
            guard var present = try transaction.value(for: RecordKey.account(account.uid), as: AccountRecord.self),
                present.password == hash
            else { return .failure(.wrongCredentials) }
            try limiter?.succeed(in: &transaction)
            try counter.succeed(in: &transaction)
            if let renewed {
                present.password = renewed
                try transaction.set(present, for: RecordKey.account(present.uid))
            }
            let tokens = try issuer.begin(present.uid, in: &transaction)
            return .success(.json(SignedInBody(profile: present.profile, tokens: tokens)))
        }
    }

    /// Whether a form solves a challenge, which is then used up.
    private func isSolved(
        _ form: [String: String],
        bits: Int,
        for id: String,
        now: Int,
        in transaction: inout JSONDefaults.Transaction
    ) throws -> Bool {
        guard let token = form[FormField.challenge], let proof = form[FormField.proof],
            let challenge = challenges.challenge(of: token, for: id, now: now), challenge.bits >= bits,
            challenge.isSolved(by: proof),
            try transaction.value(for: RecordKey.challenge(token), as: Int.self) == nil
        else { return false }
        try transaction.set(now + ChallengeIssuer.lifetime, for: RecordKey.challenge(token))
        return true
    }

    /// Returns new tokens for a refresh token.
    func refresh(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        guard let token = request.form[FormField.refreshToken] else { throw .invalid(field: FormField.refreshToken) }
        let issuer = issuer
        return try change { transaction in
            let (tokens, isReuse) = try issuer.refresh(token, in: &transaction)
            if isReuse { self.note("a refresh token was used again after its successor: the session was ended") }
            guard let tokens else { return .failure(.invalidToken) }
            return .success(.json(tokens))
        }
    }

    /// Ends the session of an access or refresh token. A token that is not valid has no session: that succeeds as well.
    func logout(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        guard let token = request.bearerToken else { throw .invalidToken }
        let issuer = issuer
        return try change { transaction in
            if let family = try issuer.family(of: token, in: transaction) {
                try issuer.revoke(family, in: &transaction)
            }
            return .success(.noContent)
        }
    }
}

/// The valid fields of a sign-up form.
struct AccountDraft {
    let id: String
    let password: String
    private let nickname: String
    private let birth: String
    private let email: String
    private let gender: Profile.Gender
    private let pushToken: String

    /// - Throws: ``BackendFailure/invalid(field:)`` for the first field that is missing or not valid.
    init(_ form: [String: String]) throws(BackendFailure) {
        func value(_ name: String, _ field: AccountField) throws(BackendFailure) -> String {
            guard let text = form[name], AccountValidator.validity(of: text, as: field).isValid else {
                throw .invalid(field: name)
            }
            return text
        }
        id = try value(FormField.id, .id)
        password = try value(FormField.password, .password)
        nickname = try value(FormField.nickname, .nickname).trimmingSpaces()
        birth = try value(FormField.birth, .birth)
        email = try value(FormField.email, .email)
        guard let gender = Profile.Gender(rawValue: form[FormField.gender] ?? "") else {
            throw .invalid(field: FormField.gender)
        }
        self.gender = gender
        pushToken = try AccountRecord.pushToken(in: form) ?? ""
    }

    /// Returns the account that the form describes.
    func account(uid: String, phone: String, password: PasswordHash, created: Int) -> AccountRecord {
        AccountRecord(
            uid: uid,
            id: id,
            phone: phone,
            password: password,
            nickname: nickname,
            birth: birth,
            email: email,
            gender: gender,
            pushToken: pushToken,
            created: created
        )
    }
}
