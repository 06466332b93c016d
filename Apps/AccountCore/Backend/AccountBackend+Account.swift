import LocalProvider
import LocalSecrets

/// The account of a session: profile, push token, password, queue and withdrawal.
extension AccountBackend {
    /// Returns the profile.
    func profile(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        try authenticated(request) { _, account in .success(.json(account.profile)) }
    }

    /// Changes the nickname.
    func changeNickname(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        guard request.form[FormField.nickname] != nil else { throw .invalid(field: FormField.nickname) }
        return try updateProfile(request)
    }

    /// Changes the values of the profile that the form has.
    func updateProfile(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        let form = request.form
        for (name, field) in [
            (FormField.nickname, AccountField.nickname), (FormField.birth, .birth), (FormField.email, .email),
        ] {
            if let text = form[name], !AccountValidator.validity(of: text, as: field).isValid {
                throw .invalid(field: name)
            }
        }
        let gender = form[FormField.gender].map { Profile.Gender(rawValue: $0) }
        if case .some(nil) = gender { throw .invalid(field: FormField.gender) }
        return try authenticated(request) { transaction, old in
            var account = old
            account.nickname = form[FormField.nickname]?.trimmingSpaces() ?? account.nickname
            account.birth = form[FormField.birth] ?? account.birth
            account.email = form[FormField.email] ?? account.email
            account.gender = (gender ?? nil) ?? account.gender
            try transaction.set(account, for: RecordKey.account(account.uid))
            return .success(.json(account.profile))
        }
    }

    /// Replaces the token for push messages.
    func updatePushToken(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        guard let token = try AccountRecord.pushToken(in: request.form) else {
            throw .invalid(field: FormField.pushToken)
        }
        return try authenticated(request) { transaction, old in
            var account = old
            account.pushToken = token
            try transaction.set(account, for: RecordKey.account(account.uid))
            return .success(.noContent)
        }
    }

    /// Changes the password. Every session ends; the response has the tokens of a new one.
    func changePassword(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        let form = request.form
        guard let new = form[FormField.newPassword], AccountValidator.validity(of: new, as: .password).isValid
        else { throw .invalid(field: FormField.newPassword) }
        let account = try confirmedAccount(request)
        guard !AccountValidator.isCommonPassword(new, id: account.id) else { throw .commonPassword }
        let hash = try gate.hash(new, cost: policy.passwordCost)
        let issuer = issuer
        return try change { transaction in
            guard var present = try transaction.value(for: RecordKey.account(account.uid), as: AccountRecord.self),
                present.password == account.password
            else { return .failure(.invalidToken) }
            present.password = hash
            try transaction.set(present, for: RecordKey.account(present.uid))
            try issuer.revokeAll(of: present.uid, in: &transaction)
            let tokens = try issuer.begin(present.uid, in: &transaction)
            return .success(.json(SignedInBody(profile: present.profile, tokens: tokens)))
        }
    }

    /// Deletes the account with everything that belongs to it, also from the files. The id is reserved for some time, and the
    /// codes of the last hour count for the number, so that a withdrawal does not reset their limit.
    func withdraw(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        let account = try confirmedAccount(request)
        let (issuer, now, policy) = (issuer, time, policy)
        let _: Void = try change { transaction in
            guard let present = try transaction.value(for: RecordKey.account(account.uid), as: AccountRecord.self)
            else { return .success(()) }
            guard present.password == account.password else { return .failure(.invalidToken) }
            try issuer.revokeAll(of: present.uid, in: &transaction)
            for (key, record) in try transaction.values(of: VerifiedRecord.self, prefix: "verified.")
            where record.uid == present.uid || record.phone == present.phone { try transaction.remove(key) }
            for (key, record) in try transaction.values(of: VerificationRecord.self, prefix: "verification.")
            where record.phone == present.phone { try transaction.remove(key) }
            for key in [
                RecordKey.account(present.uid), RecordKey.phone(present.phone), RecordKey.queue(present.uid),
                RecordKey.attempts(id: present.id), RecordKey.attempts(uid: present.uid),
            ] + RecordKey.ids(present.id) { try transaction.remove(key) }
            try transaction.set(now + policy.reservation, for: RecordKey.reserved(present.id))
            // The codes of earlier hours would otherwise be in the files until the daily sweep.
            try BackendSweep(now: now).run(&transaction)
            return .success(())
        }
        try purge()
        return .noContent
    }

    /// Returns the account of the session after its password was entered again; wrong ones are limited as for a login.
    private func confirmedAccount(_ request: BackendRequest) throws(BackendFailure) -> AccountRecord {
        guard let password = request.form[FormField.password] else { throw .invalid(field: FormField.password) }
        let (policy, now) = (policy, time)
        let account: AccountRecord = try authenticated(request) { transaction, account in
            let limiter = AttemptLimiter.session(of: account.uid, policy: policy, now: now)
            if let wait = try limiter.begin(in: &transaction) { return .failure(.throttled(seconds: wait)) }
            return .success(account)
        }
        guard try gate.matches(account.password, password) else { throw .wrongPassword }
        let limiter = AttemptLimiter.session(of: account.uid, policy: policy, now: now)
        let _: Void = try change { transaction in .success(try limiter.succeed(in: &transaction)) }
        return account
    }

    // MARK: Queue

    /// Enters the queue or leaves it. Entering it twice does not change the position.
    func setQueued(_ isQueued: Bool, _ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        try authenticated(request) { transaction, account in
            let key = RecordKey.queue(account.uid)
            let queue = try transaction.values(of: Int.self, prefix: "queue.")
            if !isQueued {
                try transaction.remove(key)
            } else if queue[key] == nil {
                try transaction.set((queue.values.max() ?? 0) + 1, for: key)
            }
            return .success(.json(try Self.status(of: account.uid, in: transaction)))
        }
    }

    /// Returns the status of the queue.
    func queueStatus(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        try authenticated(request) { transaction, account in
            .success(.json(try Self.status(of: account.uid, in: transaction)))
        }
    }

    private static func status(of uid: String, in transaction: JSONDefaults.Transaction) throws -> QueueStatus {
        let queue = try transaction.values(of: Int.self, prefix: "queue.")
        guard let own = queue[RecordKey.queue(uid)] else {
            return QueueStatus(isQueued: false, position: 0, count: queue.count)
        }
        return QueueStatus(isQueued: true, position: queue.values.count { $0 <= own }, count: queue.count)
    }
}
