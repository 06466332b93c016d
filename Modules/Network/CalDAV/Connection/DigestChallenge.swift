import Checksums
import EssentialFoundation
import HTTPTransport
import TextEscaping

/// A challenge of Digest authentication (RFC 7616) and the field that responds to it.
struct DigestChallenge: Sendable, Equatable {
    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: String
    /// Whether the quality of protection `auth` is offered; without it, the form of RFC 2069 is used.
    let hasQuality: Bool
    /// Whether only the nonce has expired, and not the password is wrong.
    let isStale: Bool

    /// Reads the strongest supported challenge of a response; nil if there is none.
    init?(_ head: HTTPResponseHead) {
        let challenges = head.headers.values("WWW-Authenticate").flatMap(DigestChallenge.challenges)
        let supported = challenges.compactMap { DigestChallenge($0) }
        guard let best = supported.first(where: { $0.algorithm.uppercased().hasPrefix("SHA-256") }) ?? supported.first
        else { return nil }
        self = best
    }

    private init?(_ parameters: [String: String]) {
        let algorithm = parameters["algorithm"] ?? "MD5"
        let qualities = parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " }
        guard let realm = parameters["realm"], let nonce = parameters["nonce"],
            ["MD5", "MD5-SESS", "SHA-256", "SHA-256-SESS"].contains(algorithm.uppercased()),
            qualities?.contains("auth") ?? true
        else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = parameters["opaque"]
        hasQuality = qualities != nil
        isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// The value of the field Authorization.
    /// - Parameters:
    ///   - user: the user.
    ///   - password: the password.
    ///   - method: the method of the request.
    ///   - target: the path and query of the request, as they are sent.
    ///   - count: the number of requests with this nonce, from 1.
    ///   - clientNonce: a random text.
    /// - Returns: the value.
    func authorization(
        user: String,
        password: String,
        method: String,
        target: String,
        count: Int,
        clientNonce: String
    ) -> String {
        let isSHA = algorithm.uppercased().hasPrefix("SHA")
        func hash(_ text: String) -> String {
            isSHA ? SHA256.hexadecimal(of: Array(text.utf8)) : MD5.hexadecimal(of: Array(text.utf8))
        }
        var secret = hash("\(user):\(realm):\(password)")
        if algorithm.uppercased().hasSuffix("-SESS") { secret = hash("\(secret):\(nonce):\(clientNonce)") }
        let number = Hexadecimal.string(of: UInt32(truncatingIfNeeded: count), digits: 8)
        let request = hash("\(method):\(target)")
        let middle = hasQuality ? "\(nonce):\(number):\(clientNonce):auth" : nonce
        var fields = [
            "username=\(quoted(user))", "realm=\(quoted(realm))", "nonce=\(quoted(nonce))", "uri=\(quoted(target))",
            "algorithm=\(algorithm)", "response=\"\(hash("\(secret):\(middle):\(request)"))\"",
        ]
        if hasQuality { fields += ["qop=auth", "nc=\(number)", "cnonce=\(quoted(clientNonce))"] }
        if let opaque { fields.append("opaque=\(quoted(opaque))") }
        return "Digest " + fields.joined(separator: ", ")
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The parameters of the Digest challenges in a field, by their names in lower case. A field may contain challenges of
    /// several schemes.
    private static func challenges(_ field: String) -> [[String: String]] {
        var challenges: [[String: String]] = []
        var isDigest = false
        for element in HTTPResponseHead.elements(of: field) {
            var element = element
            let name = element.prefix { $0 != " " && $0 != "=" }
            let rest = element.dropFirst(name.count).drop { $0 == " " }
            if rest.first != "=" {
                isDigest = name.lowercased() == "digest"
                if isDigest { challenges.append([:]) }
                element = rest
            }
            guard isDigest, let equals = element.firstIndex(of: "=") else { continue }
            let key = HTTPSyntax.trimmed(String(element[..<equals])).lowercased()
            var value = HTTPSyntax.trimmed(String(element[element.index(after: equals)...]))
            if value.hasPrefix("\""), value.hasSuffix("\""), value.count > 1 {
                var isEscaped = false
                value = String(
                    value.dropFirst().dropLast().filter { character in
                        isEscaped = character == "\\" && !isEscaped
                        return !isEscaped
                    }
                )
            }
            challenges[challenges.count - 1][key] = value
        }
        return challenges
    }
}
