/// The bodies of the responses of the account server, for both sides.
///
/// Requests are forms; their fields have the names of ``FormField``.
enum FormField {
    static let id = "id"
    static let password = "password"
    static let newPassword = "new_password"
    static let phone = "phoneNumber"
    static let pushToken = "FCMtoken"
    static let nickname = "nick"
    static let birth = "birth"
    static let email = "email"
    static let gender = "gender"
    static let request = "request"
    static let code = "code"
    static let refreshToken = "refresh_token"
    static let challenge = "challenge"
    static let proof = "proof"
    /// The header field with the token of a verified number.
    static let idTokenHeader = "idtoken"
}

/// The versions that the server accepts.
struct VersionBody: Codable, Sendable {
    var required: String
    var update: String?
}

/// The tokens of a session.
struct TokenPair: Codable, Hashable, Sendable {
    var access: String
    var refresh: String
    /// The lifetime of the access token in seconds.
    var lifetime: Int
    var type = "Bearer"

    private enum CodingKeys: String, CodingKey {
        case access = "access_token"
        case refresh = "refresh_token"
        case lifetime = "expires_in"
        case type = "token_type"
    }
}

/// A session with the profile of its account.
struct SignedInBody: Codable, Sendable {
    var profile: Profile
    var tokens: TokenPair
}

/// A verification code that was sent.
struct CodeBody: Codable, Sendable {
    /// The token of the request, which is needed to verify the code.
    var request: String
    var length: Int
    var valid: Int
    var resend: Int
}

/// The token of a verified number.
struct IdentityBody: Codable, Sendable { var idtoken: String }
