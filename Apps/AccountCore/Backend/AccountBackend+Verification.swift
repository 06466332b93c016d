import LocalProvider
import LocalSecrets

/// Verification codes.
extension AccountBackend {
    /// Sends a code to a number. The response is the same for a number that has an account; its owner receives a message.
    func requestCode(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        guard let phone = AccountValidator.normalizedPhone(request.form[FormField.phone] ?? "") else {
            throw .invalid(field: FormField.phone)
        }
        let (now, policy) = (time, policy)
        // Counted before the code is hashed, so that the hash is not a way to load the server.
        let _: Void = try change { transaction in
            let phoneKey = RecordKey.sentToPhone(phone), addressKey = request.address.map(RecordKey.sentToAddress)
            var phoneRecord = try transaction.value(for: phoneKey, as: SentRecord.self) ?? SentRecord()
            var addressRecord =
                try addressKey.flatMap { try transaction.value(for: $0, as: SentRecord.self) } ?? SentRecord()
            phoneRecord.removeTimes(olderThan: 3_600, at: now)
            addressRecord.removeTimes(olderThan: 60, at: now)
            let waits = [
                phoneRecord.times.last.map { $0 + policy.codeResendInterval - now },
                phoneRecord.times.count >= policy.codesPerHour ? phoneRecord.times.first.map { $0 + 3_600 - now } : nil,
                addressRecord.times.count >= policy.codesPerMinuteAndAddress
                    ? addressRecord.times.first.map { $0 + 60 - now } : nil,
            ].compactMap { $0 }
            if let wait = waits.max(), wait > 0 { return .failure(.throttled(seconds: wait)) }
            phoneRecord.times.append(now)
            addressRecord.times.append(now)
            try transaction.set(phoneRecord, for: phoneKey)
            if let addressKey { try transaction.set(addressRecord, for: addressKey) }
            try BackendSweep(now: now).runDaily(&transaction)
            return .success(())
        }
        let (code, token) = (OpaqueToken.code(length: AccountValidator.codeLength), OpaqueToken.make(.verification))
        let hash = try gate.hash(code, cost: policy.codeCost)
        let message: BackendMessage? = try change { transaction in
            let hasAccount = try transaction.value(for: RecordKey.phone(phone), as: String.self) != nil
            let key = RecordKey.verification(token)
            var sent = try transaction.value(for: RecordKey.sentToPhone(phone), as: SentRecord.self) ?? SentRecord()
            var wrongTries = 0
            // A new code ends the old one, and continues its count of wrong tries.
            if let old = sent.verification,
                let former = try transaction.value(for: old, as: VerificationRecord.self)
            {
                if now < former.expires, former.wrongTries < policy.codeTries { wrongTries = former.wrongTries }
                try transaction.remove(old)
            }
            sent.verification = key
            // The owner receives the message once an hour, whatever codes were sent before there was an account.
            let isNoticed = sent.noticed.map { ($0..<$0 + 3_600).contains(now) } ?? false
            if hasAccount, !isNoticed { sent.noticed = now }
            try transaction.set(sent, for: RecordKey.sentToPhone(phone))
            let record = VerificationRecord(
                phone: phone,
                code: hash,
                isDecoy: hasAccount,
                expires: now + policy.codeLifetime,
                wrongTries: wrongTries
            )
            try transaction.set(record, for: key)
            guard hasAccount else { return .success(.some(.code(code))) }
            return .success(isNoticed ? nil : .alreadyRegistered)
        }
        if let message { deliver(phone, message) }
        return .json(
            CodeBody(
                request: token,
                length: AccountValidator.codeLength,
                valid: policy.codeLifetime,
                resend: policy.codeResendInterval
            )
        )
    }

    /// Verifies a code and returns an `idtoken` for the sign-up.
    func checkCode(_ request: BackendRequest) throws(BackendFailure) -> BackendResponse {
        let form = request.form
        guard let token = form[FormField.request], let code = form[FormField.code] else {
            throw .invalid(field: FormField.code)
        }
        guard AccountValidator.validity(of: code, as: .code).isValid else { throw .invalid(field: FormField.code) }
        let (key, now, policy) = (RecordKey.verification(token), time, policy)
        // The try is counted first, so that parallel ones cannot exceed the limit.
        let record: VerificationRecord = try change { transaction in
            guard var record = try transaction.value(for: key, as: VerificationRecord.self), now < record.expires,
                record.wrongTries < policy.codeTries
            else { return .failure(.codeEnded) }
            record.wrongTries += 1
            try transaction.set(record, for: key)
            return .success(record)
        }
        let isRight = try gate.matches(record.code, code) && !record.isDecoy
        let identity = OpaqueToken.make(.identity)
        return try change { transaction in
            guard isRight else {
                return .failure(record.wrongTries >= policy.codeTries ? .codeEnded : .wrongCode)
            }
            // The record is gone if another request has verified the same code, or a new code was requested.
            guard try transaction.value(for: key, as: VerificationRecord.self) != nil else {
                return .failure(.codeEnded)
            }
            try transaction.remove(key)
            let verified = VerifiedRecord(phone: record.phone, expires: now + policy.verificationLifetime, uid: nil)
            try transaction.set(verified, for: RecordKey.verified(identity))
            return .success(.json(IdentityBody(idtoken: identity)))
        }
    }
}
