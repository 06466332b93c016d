/// What is wrong with a server's certificate.
public enum CertificateProblem: Sendable, Hashable, CaseIterable {
    /// Its time is over.
    case expired
    /// Its time has not begun.
    case notYetValid
    /// It is signed by itself and not trusted as such.
    case selfSigned
    /// No trusted authority signed it.
    case unknownAuthority
    /// It is for another host.
    case wrongHost
    /// It was withdrawn by its authority.
    case revoked
    /// Anything else; the error's detail says what.
    case other

    /// What to do about it.
    public var advice: String {
        switch self {
        case .expired: "the server's owner must renew it; check this machine's clock, too"
        case .notYetValid: "check this machine's clock; otherwise the server's owner must replace it"
        case .selfSigned: "if it is the server's own, trust it by HTTPTLSSettings.trust with its PEM"
        case .unknownAuthority:
            "trust its authority by HTTPTLSSettings.trust, or have the server send the certificates in between"
        case .wrongHost: "use a host name that the certificate lists, or have the server's owner add this one"
        case .revoked: "do not trust this server before its owner has replaced the certificate"
        case .other: "look at it with: openssl s_client -connect HOST:PORT -showcerts"
        }
    }
}
