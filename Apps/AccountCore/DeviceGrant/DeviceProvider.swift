/// An outside provider that supports the OAuth 2.0 device authorization grant (RFC 8628).
package struct DeviceProvider: Hashable, Sendable {
    /// The protocol of a provider.
    package enum Dialect: Hashable, Sendable {
        /// RFC 8628, with the deviations of known providers.
        case standard
        /// Facebook's device login, which precedes the standard.
        case facebook
    }

    /// The addresses of a provider.
    package enum Endpoints: Hashable, Sendable {
        /// The issuer, whose metadata (RFC 8414 or OpenID Connect Discovery) contain the addresses.
        case issuer(String)
        /// The addresses themselves. Without a revocation address, a logout does not reach the provider.
        case explicit(device: String, token: String, revocation: String?, userInfo: String?)
    }

    /// The name for people, such as `Google`.
    package var name: String
    /// The addresses.
    package var endpoints: Endpoints
    /// The client id of the app.
    package var clientID: String
    /// The client secret, for providers that require one although an installed app cannot hide it; `nil` for none.
    package var clientSecret: String?
    /// The scopes that are requested.
    package var scopes: [String]
    /// The protocol.
    package var dialect: Dialect

    /// Creates a provider.
    package init(
        name: String,
        endpoints: Endpoints,
        clientID: String,
        clientSecret: String? = nil,
        scopes: [String] = ["openid", "profile", "email"],
        dialect: Dialect = .standard
    ) {
        (self.name, self.endpoints, self.clientID) = (name, endpoints, clientID)
        (self.clientSecret, self.scopes, self.dialect) = (clientSecret, scopes, dialect)
    }
}
