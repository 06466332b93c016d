import Checksums
import LocalSecrets

/// An account as the backend stores it.
struct AccountRecord: Codable, Sendable {
    var uid: String
    var id: String
    var phone: String
    var password: PasswordHash
    var nickname: String
    var birth: String
    var email: String
    var gender: Profile.Gender
    var pushToken: String
    var created: Int

    /// Returns the token for push messages in a form; `nil` if it has none.
    ///
    /// - Throws: ``BackendFailure/invalid(field:)`` for one of more than 4,096 bytes.
    static func pushToken(in form: [String: String]) throws(BackendFailure) -> String? {
        let token = form[FormField.pushToken]
        guard (token ?? "").utf8.count <= 4_096 else { throw .invalid(field: FormField.pushToken) }
        return token
    }

    var profile: Profile {
        Profile(id: id, nickname: nickname, phone: phone, birth: birth, email: email, gender: gender)
    }
}

/// A token, stored under its hash.
struct TokenRecord: Codable, Sendable {
    enum Kind: String, Codable, Sendable { case access, refresh }

    var kind: Kind
    var family: String
    /// The generation of the family: refreshing creates the next one.
    var generation: Int
    var expires: Int
}

/// A session: the tokens that descend from one sign-in.
struct FamilyRecord: Codable, Sendable {
    var uid: String
    var created: Int
    /// The latest generation of tokens.
    var generation: Int
    /// Whether a token of the latest generation was used. Until then the previous refresh token remains valid, so that a lost
    /// response does not end the session.
    var isConfirmed: Bool
}

/// A telephone number that is being verified, stored under the hash of the request's token.
struct VerificationRecord: Codable, Sendable {
    var phone: String
    var code: PasswordHash
    /// Whether the number belongs to an account: no code verifies it.
    var isDecoy: Bool
    var expires: Int
    var wrongTries: Int
}

/// A verified number, stored under the hash of its `idtoken`.
struct VerifiedRecord: Codable, Sendable {
    var phone: String
    var expires: Int
    /// The account that was created with it, so that a repeated sign-up has the same result.
    var uid: String?
    var takenIDs = 0
}

/// The codes that were sent to a number, or requested by an address.
struct SentRecord: Codable, Sendable {
    var times: [Int] = []
    /// The key of the verification that the latest code belongs to.
    var verification: String?
    /// When the owner last received the message that the number has an account.
    var noticed: Int?

    /// Removes the times that are older than `seconds`, and those of a clock that was ahead, which would count for as long.
    mutating func removeTimes(olderThan seconds: Int, at now: Int) {
        times.removeAll { !($0..<$0 + seconds).contains(now) }
    }
}

/// Failed attempts for an account or an address.
struct AttemptRecord: Codable, Sendable {
    var failures = 0
    var blockedUntil = 0
    var last = 0

    /// Whether the record counts: for two hours after the last attempt. One of a clock that was ahead would count for as long.
    func isCurrent(at now: Int) -> Bool { (last..<last + 7_200).contains(now) }

    mutating func count(at now: Int) {
        failures = isCurrent(at: now) ? failures + 1 : 1
        last = now
    }
}

/// The identifiers of the records in the store. Ids, numbers, addresses and tokens are hashed, so that identifiers, which
/// error messages contain, reveal none.
enum RecordKey {
    static func account(_ uid: String) -> String { "account." + uid }
    static func id(_ id: String) -> String { "id." + hash(AccountValidator.normalizedID(id)) }
    /// The identifiers under which an account with an id may be: an earlier version did not compose the letters of an id.
    static func ids(_ id: String) -> [String] {
        let (key, earlier) = (Self.id(id), "id." + hash(id.trimmingSpaces().lowercased()))
        return key == earlier ? [key] : [earlier, key]
    }
    static func reserved(_ id: String) -> String { "reserved." + hash(AccountValidator.normalizedID(id)) }
    static func phone(_ phone: String) -> String { "phone." + hash(phone) }
    static func token(_ token: String) -> String { "token." + hash(token) }
    static func family(_ family: String) -> String { "family." + family }
    static func verification(_ request: String) -> String { "verification." + hash(request) }
    static func verified(_ idToken: String) -> String { "verified." + hash(idToken) }
    static func sentToPhone(_ phone: String) -> String { "sent.phone." + hash(phone) }
    static func sentToAddress(_ address: String) -> String { "sent.address." + hash(ClientNetwork.name(of: address)) }
    static func attempts(id: String) -> String { "attempts.id." + hash(AccountValidator.normalizedID(id)) }
    static func attempts(address: String) -> String { "attempts.address." + hash(ClientNetwork.name(of: address)) }
    static func attempts(uid: String) -> String { "attempts.uid." + uid }
    static func challenge(_ token: String) -> String { "challenge." + hash(token) }
    static let sweep = "swept"
    static func queue(_ uid: String) -> String { "queue." + uid }

    static func hash(_ text: String) -> String { SHA256.hexadecimal(of: Array(text.utf8)) }
}
