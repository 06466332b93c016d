import Checksums
import LocalSecrets

/// A challenge that a login must solve after several failed ones: a number whose hash, with the token, begins with zero bits.
///
/// A login for an account is never refused because of other people's failures, which would lock its owner out. It costs
/// processor time instead: each bit doubles the work of a guess, while the owner notices a moment.
struct LoginChallenge: Codable, Hashable, Sendable {
    /// The most bits that a client solves.
    static let limit = 24

    /// The token of the server, which is valid for one login of one id.
    var token: String
    /// The number of zero bits.
    var bits: Int

    /// Whether a proof solves the challenge.
    func isSolved(by proof: String) -> Bool {
        var zeros = 0
        for byte in SHA256.digest(of: Array("\(token):\(proof)".utf8)) {
            zeros += byte.leadingZeroBitCount
            if byte != 0 { break }
        }
        return zeros >= bits
    }

    /// Returns a proof.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    @concurrent
    func solved() async throws(CancellationError) -> String {
        var number = 0
        while true {
            if isSolved(by: "\(number)") { return "\(number)" }
            number += 1
            if number.isMultiple(of: 256), Task.isCancelled { throw CancellationError() }
        }
    }
}

/// Issues the challenges of a backend, and verifies their tokens without storing those that are never solved.
struct ChallengeIssuer: Sendable {
    /// How long a challenge can be solved, in seconds.
    static let lifetime = 300

    private let secret = OpaqueToken.make(.challenge)

    /// Returns a challenge for an id.
    func challenge(for id: String, bits: Int, now: Int) -> LoginChallenge {
        let end = now + Self.lifetime
        return LoginChallenge(token: "\(end).\(bits).\(signature(id, bits, end, OpaqueToken.identifier()))", bits: bits)
    }

    /// Returns the challenge of a token if it is valid for an id.
    func challenge(of token: String, for id: String, now: Int) -> LoginChallenge? {
        let parts = token.split(separator: ".").map(String.init)
        guard parts.count == 4, let end = Int(parts[0]), let bits = Int(parts[1]), now < end,
            token == "\(end).\(bits).\(signature(id, bits, end, parts[2]))"
        else { return nil }
        return LoginChallenge(token: token, bits: bits)
    }

    private func signature(_ id: String, _ bits: Int, _ end: Int, _ salt: String) -> String {
        let key = RecordKey.attempts(id: id)
        return "\(salt).\(RecordKey.hash("\(secret) \(key) \(bits) \(end) \(salt)"))"
    }
}
