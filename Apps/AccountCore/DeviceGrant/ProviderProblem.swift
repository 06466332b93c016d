package import AppLanguage

/// Why an outside provider cannot be used.
package enum ProviderProblem: Hashable, Sendable, CaseIterable {
    /// An address of the provider is neither https nor on this machine.
    case insecure
    /// The metadata of the provider are not found.
    case noMetadata
    /// The metadata belong to another issuer.
    case otherIssuer
    /// The provider does not support the device authorization grant, or does not allow it for the app.
    case noDeviceGrant
    /// The provider does not know the client id of the app.
    case unknownClient
    /// The provider refuses the requested scopes.
    case scopes
    /// The provider is not configured any more.
    case notConfigured
    /// The account is managed by the provider, and not by the account server.
    case managed

    /// The problem and what to do, as a sentence.
    package var text: LocalizedText {
        switch self {
        case .insecure:
            LocalizedText("Its address is not https. Correct the configuration.", ko: "주소가 https가 아닙니다. 설정을 고치세요.")
        case .noMetadata:
            LocalizedText("Its metadata are not found. Check the issuer.", ko: "메타데이터를 찾을 수 없습니다. 발급자 주소를 확인하세요.")
        case .otherIssuer:
            LocalizedText(
                "Its metadata belong to another issuer. Check the issuer.",
                ko: "메타데이터의 발급자가 다릅니다. 발급자 주소를 확인하세요."
            )
        case .noDeviceGrant:
            LocalizedText(
                "It does not allow the sign-in of devices. Choose another way to sign in.",
                ko: "기기 로그인을 허용하지 않습니다. 다른 방법으로 로그인하세요."
            )
        case .unknownClient:
            LocalizedText(
                "It does not know the client id of the app. Configure another one.",
                ko: "앱의 클라이언트 아이디를 알지 못합니다. 다른 아이디를 설정하세요."
            )
        case .scopes:
            LocalizedText(
                "It refuses the requested scopes. Change the configuration of the client.",
                ko: "요청한 권한을 거부했습니다. 클라이언트 설정을 바꾸세요."
            )
        case .notConfigured:
            LocalizedText("It is not configured. Choose another way to sign in.", ko: "설정되어 있지 않습니다. 다른 방법으로 로그인하세요.")
        case .managed:
            LocalizedText("Change the account on its pages.", ko: "계정은 해당 제공자의 페이지에서 변경하세요.")
        }
    }
}
