package import EssentialFoundation
import TextEscaping

/// A request to the account backend, independent of the server that received it.
package struct BackendRequest: Sendable {
    /// The method, such as `POST`.
    package var method: String
    /// The path, without the query.
    package var path: String
    /// The header fields; the names in lower case.
    package var headers: [String: String]
    /// The body.
    package var body: Data
    /// The address of the client, for the limits of attempts; `nil` if it is unknown, as behind a proxy that is not trusted.
    package var address: String?

    /// Creates a request.
    package init(method: String, path: String, headers: [String: String], body: Data, address: String?) {
        (self.method, self.path, self.headers) = (method, path, headers)
        (self.body, self.address) = (body, address)
    }

    /// The fields of a form-url-encoded body; the first value of each name. A malformed one is not there.
    var form: [String: String] {
        var form: [String: String] = [:]
        // The bytes are split, since a string would repair those that are not UTF-8: different passwords would be equal.
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(halves[0]) else { continue }
            if form[name] == nil { form[name] = halves.count > 1 ? Self.decoded(halves[1]) : "" }
        }
        return form
    }

    /// The token of an `Authorization: Bearer` field, or `nil`.
    var bearerToken: String? {
        guard let field = headers["authorization"] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    /// Returns the text of a name or value in a form; `nil` if an escape is malformed, or the bytes are not UTF-8.
    private static func decoded(_ text: Data) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:)),
                    let low = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:))
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// A response of the account backend.
package struct BackendResponse: Sendable {
    /// The status.
    package var status: Int
    /// The header fields.
    package var headers: [(name: String, value: String)]
    /// The body: JSON, or empty.
    package var body: Data

    /// Creates a response.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: Data = Data()) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Returns a response with JSON. Every response forbids caches to store it, since many contain tokens.
    static func json(_ value: some Encodable, status: Int = 200) -> BackendResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(value) else { return .failure(.internalError) }
        return BackendResponse(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: body
        )
    }

    /// A response without a body.
    static let noContent = BackendResponse(status: 204, headers: [("Cache-Control", "no-store")])

    /// Returns the response of a failure.
    static func failure(_ failure: BackendFailure) -> BackendResponse {
        var response = json(
            ErrorBody(error: failure.name, field: failure.field, challenge: failure.challenge),
            status: failure.status
        )
        response.headers += failure.headers
        return response
    }
}

/// The body of a failure.
struct ErrorBody: Codable, Sendable {
    /// The name of the failure.
    var error: String
    /// The field concerned.
    var field: String?
    /// The challenge to solve.
    var challenge: LoginChallenge?
}

/// Why the backend refuses a request.
enum BackendFailure: Error, Hashable, Sendable {
    case notFound
    case methodNotAllowed(allowed: String)
    case bodyTooLarge
    case invalid(field: String)
    case commonPassword
    case wrongCredentials
    case challenged(LoginChallenge)
    case wrongPassword
    case invalidToken
    case notVerified
    case wrongCode
    case codeEnded
    case idTaken
    case throttled(seconds: Int)
    case busy
    case internalError

    var status: Int { reply.status }
    var name: String { reply.name }

    private var reply: (status: Int, name: String) {
        switch self {
        case .notFound: (404, "not_found")
        case .methodNotAllowed: (405, "method_not_allowed")
        case .bodyTooLarge: (413, "body_too_large")
        case .invalid: (422, "invalid")
        case .commonPassword: (422, "common_password")
        case .wrongCredentials: (401, "wrong_credentials")
        case .challenged: (403, "challenge")
        case .wrongPassword: (403, "wrong_password")
        case .invalidToken: (401, "invalid_token")
        case .notVerified: (403, "not_verified")
        case .wrongCode: (422, "wrong_code")
        case .codeEnded: (410, "code_ended")
        case .idTaken: (409, "id_taken")
        case .throttled: (429, "throttled")
        case .busy: (503, "busy")
        case .internalError: (500, "internal_error")
        }
    }

    var field: String? {
        if case .invalid(let field) = self { field } else { nil }
    }

    var challenge: LoginChallenge? {
        if case .challenged(let challenge) = self { challenge } else { nil }
    }

    var headers: [(name: String, value: String)] {
        switch self {
        case .methodNotAllowed(let allowed): [("Allow", allowed)]
        case .wrongCredentials, .invalidToken: [("WWW-Authenticate", "Bearer realm=\"account\"")]
        case .throttled(let seconds): [("Retry-After", "\(seconds)")]
        case .busy: [("Retry-After", "1")]
        default: []
        }
    }
}
