import LocalProvider

/// Issues, refreshes and revokes tokens, inside a transaction of the backend's store. Issuing tokens also removes the expired
/// records, once a day.
///
/// A refresh returns new tokens of the same family, the next generation. The previous refresh token remains valid until a
/// token of the next generation is used, so that a lost response costs nothing. An older one that is used again was stolen, or
/// the other one was: the whole family is revoked (RFC 9700, section 4.14).
struct TokenIssuer {
    typealias Transaction = JSONDefaults.Transaction

    let policy: BackendPolicy
    let now: Int

    /// Starts a session of an account.
    func begin(_ uid: String, in transaction: inout Transaction) throws -> TokenPair {
        let family = OpaqueToken.identifier()
        let record = FamilyRecord(uid: uid, created: now, generation: 0, isConfirmed: true)
        try transaction.set(record, for: RecordKey.family(family))
        return try issue(family, record, in: &transaction)
    }

    /// Returns new tokens for a refresh token.
    ///
    /// - Returns: the tokens; ``BackendFailure/invalidToken`` for an unknown, expired or revoked one, and whether the family
    ///   was revoked because an old token was used again.
    func refresh(_ token: String, in transaction: inout Transaction) throws -> (tokens: TokenPair?, isReuse: Bool) {
        guard let (found, old) = try record(of: token, .refresh, in: transaction) else { return (nil, false) }
        var family = old
        if found.generation == family.generation {
            family.generation += 1
            family.isConfirmed = false
        } else if found.generation != family.generation - 1 || family.isConfirmed {
            try revoke(found.family, in: &transaction)
            return (nil, true)
        }
        try transaction.set(family, for: RecordKey.family(found.family))
        return (try issue(found.family, family, in: &transaction), false)
    }

    /// Returns the account of an access token; `nil` if the token is unknown, expired or revoked.
    func account(of token: String, in transaction: inout Transaction) throws -> AccountRecord? {
        guard let (found, old) = try record(of: token, .access, in: transaction) else { return nil }
        if found.generation == old.generation, !old.isConfirmed {
            var family = old
            family.isConfirmed = true
            try transaction.set(family, for: RecordKey.family(found.family))
        }
        return try transaction.value(for: RecordKey.account(old.uid), as: AccountRecord.self)
    }

    /// Returns the family of an access or refresh token; `nil` if it has none.
    func family(of token: String, in transaction: Transaction) throws -> String? {
        try transaction.value(for: RecordKey.token(token), as: TokenRecord.self)?.family
    }

    /// Ends a session.
    func revoke(_ family: String, in transaction: inout Transaction) throws {
        try transaction.remove(RecordKey.family(family))
        try removeTokens(of: [family], in: &transaction)
    }

    /// Ends every session of an account.
    func revokeAll(of uid: String, in transaction: inout Transaction) throws {
        let families = try transaction.values(of: FamilyRecord.self, prefix: "family.").filter { $0.value.uid == uid }
        for key in families.keys { try transaction.remove(key) }
        try removeTokens(of: Set(families.keys.map { String($0.dropFirst("family.".count)) }), in: &transaction)
    }

    private func removeTokens(of families: Set<String>, in transaction: inout Transaction) throws {
        for (key, record) in try transaction.values(of: TokenRecord.self, prefix: "token.")
        where families.contains(record.family) { try transaction.remove(key) }
    }

    /// Returns the record of a valid token and its family.
    private func record(
        of token: String,
        _ kind: TokenRecord.Kind,
        in transaction: Transaction
    ) throws -> (TokenRecord, FamilyRecord)? {
        guard let found = try transaction.value(for: RecordKey.token(token), as: TokenRecord.self), found.kind == kind,
            now < found.expires,
            let family = try transaction.value(for: RecordKey.family(found.family), as: FamilyRecord.self),
            now < family.created + policy.sessionLifetime
        else { return nil }
        return (found, family)
    }

    private func issue(
        _ family: String,
        _ record: FamilyRecord,
        in transaction: inout Transaction
    ) throws -> TokenPair {
        let end = record.created + policy.sessionLifetime
        let lifetime = min(policy.accessLifetime, end - now)
        let pair = TokenPair(access: OpaqueToken.make(.access), refresh: OpaqueToken.make(.refresh), lifetime: lifetime)
        func token(_ kind: TokenRecord.Kind, _ expires: Int) -> TokenRecord {
            TokenRecord(kind: kind, family: family, generation: record.generation, expires: expires)
        }
        try transaction.set(token(.access, now + lifetime), for: RecordKey.token(pair.access))
        try transaction.set(token(.refresh, min(now + policy.refreshLifetime, end)), for: RecordKey.token(pair.refresh))
        // Last: a session without a token would be removed.
        try BackendSweep(now: now).runDaily(&transaction)
        return pair
    }
}
