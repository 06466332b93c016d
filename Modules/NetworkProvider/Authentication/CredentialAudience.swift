#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which requests a credential is shown with.
struct CredentialAudience: Sendable {
    /// Nil for all.
    private let origins: Set<HTTPOrigin>?
    /// A base that names no origin.
    private let unreadable: String?
    private let applies: @Sendable (HTTPRequest) -> Bool

    init(_ bases: [String]?, _ applies: @escaping @Sendable (HTTPRequest) -> Bool) {
        let read = bases.map { bases in
            bases.map { base in URLText.escaped(base).flatMap { URL(string: $0) }.flatMap { HTTPOrigin($0) } }
        }
        origins = read.map { Set($0.compactMap { $0 }) }
        let index = read?.firstIndex(of: nil)
        unreadable = index.flatMap { bases?[$0] }
        self.applies = applies
    }

    /// Whether a request is one of them.
    /// - Throws: ``AuthenticationError/unusableCredential(_:)`` where a base names no origin: the credential would go to
    ///   nobody, and nobody would know why.
    func includes(_ request: HTTPRequest) throws(AuthenticationError) -> Bool {
        if let unreadable {
            throw .unusableCredential(
                "\(Redaction.plain(unreadable)) names no server that it is for; write scheme://host"
            )
        }
        guard let origins else { return applies(request) }
        guard let origin = HTTPOrigin(request.url) else { return false }
        return origins.contains(origin) && applies(request)
    }
}
