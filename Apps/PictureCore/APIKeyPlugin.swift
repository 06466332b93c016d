import EssentialFoundation
package import NetworkProvider

/// Adds an API key to the requests of a picture service, and to no other server: pictures are on other hosts.
package struct APIKeyPlugin: NetworkPlugin {
    /// The header field of the key.
    package static let field = "x-api-key"

    private let key: String
    private let origin: String

    /// Creates a plugin; `nil` without a key.
    ///
    /// - Parameters:
    ///   - key: the key; `nil` or empty for none.
    ///   - address: the base URL of the service.
    package init?(key: String?, address: String) {
        guard let key, !key.isEmpty, let url = URL(string: address), let origin = Self.origin(of: url)
        else { return nil }
        (self.key, self.origin) = (key, origin)
    }

    /// The field of the key is a secret: redirects to other origins, errors and logs do not contain it.
    package var secrets: Redaction { Redaction(headers: [Self.field], parameters: [], fields: []) }

    package func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
        guard Self.origin(of: request.url) == origin else { return request }
        var request = request
        request.headers[Self.field] = key
        return request
    }

    /// Returns scheme, host and port of an address, in lower case; `nil` without a host.
    private static func origin(of url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased() else { return nil }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }
}

/// Sets the `User-Agent` of requests without one; picture services refuse some common values.
package struct PictureAgentPlugin: NetworkPlugin {
    private let agent: String

    /// Creates a plugin for a user agent, such as `Dog/0.1.0`.
    package init(_ agent: String) { self.agent = agent }

    package func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
        var request = request
        if request.headers["User-Agent"] == nil { request.headers["User-Agent"] = agent }
        return request
    }
}
