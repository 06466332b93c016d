import AccountCore

/// The outside providers that a flavour offers on its logged-out screen.
///
/// Each provider has variables of the environment: `PAWKIT_GOOGLE_CLIENT_ID`, `PAWKIT_GOOGLE_CLIENT_SECRET` and
/// `PAWKIT_GOOGLE_ISSUER`, and the same with `FACEBOOK`. An issuer replaces the provider's own addresses by those of any
/// authorization server that supports RFC 8628.
struct SignInProviders {
    let flavour: Flavour
    let environment: [String: String]

    /// The providers, in the order of their buttons.
    var all: [DeviceProvider] {
        [
            provider(
                "Google",
                endpoints: .explicit(
                    device: "https://oauth2.googleapis.com/device/code",
                    token: "https://oauth2.googleapis.com/token",
                    revocation: "https://oauth2.googleapis.com/revoke",
                    userInfo: "https://openidconnect.googleapis.com/v1/userinfo"
                ),
                scopes: ["openid", "email", "profile"],
                dialect: .standard
            ),
            provider(
                "Facebook",
                endpoints: .explicit(
                    device: "https://graph.facebook.com/v21.0/device/login",
                    token: "https://graph.facebook.com/v21.0/device/login_status",
                    revocation: nil,
                    userInfo: "https://graph.facebook.com/v21.0/me"
                ),
                scopes: ["public_profile", "email"],
                dialect: .facebook
            ),
        ]
    }

    private func provider(
        _ name: String,
        endpoints: DeviceProvider.Endpoints,
        scopes: [String],
        dialect: DeviceProvider.Dialect
    ) -> DeviceProvider {
        let issuer = variable(name, "ISSUER")
        return DeviceProvider(
            name: name,
            endpoints: issuer.map { .issuer($0) } ?? endpoints,
            clientID: variable(name, "CLIENT_ID") ?? flavour.oauthClient,
            clientSecret: variable(name, "CLIENT_SECRET"),
            scopes: scopes,
            // Another authorization server follows the standard.
            dialect: issuer == nil ? dialect : .standard
        )
    }

    private func variable(_ provider: String, _ name: String) -> String? {
        environment["PAWKIT_\(provider.uppercased())_\(name)"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
