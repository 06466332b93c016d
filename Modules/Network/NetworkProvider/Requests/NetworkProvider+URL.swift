public import EssentialFoundation

/// Requests without a target type, for a URL that is used in one place.
extension NetworkProvider {
    /// Sends a GET request to a URL and returns the body.
    public func get(
        _ url: some URLConvertible,
        query: QueryParameters = [:],
        headers: HTTPHeaders = [:],
        retry: RetryPolicy = .inherited,
        progress: TransferMonitor? = nil
    ) async throws(NetworkError) -> Data {
        try await get(url, query: query, headers: headers, retry: retry, progress: progress, as: Data.self)
    }

    /// Sends a GET request to a URL and returns the decoded response.
    ///
    /// ```swift
    /// let breeds = try await provider.get("https://dog.ceo/api/breeds", as: [String].self)
    /// ```
    public func get<Response: Decodable & Sendable>(
        _ url: some URLConvertible,
        query: QueryParameters = [:],
        headers: HTTPHeaders = [:],
        retry: RetryPolicy = .inherited,
        progress: TransferMonitor? = nil,
        as type: Response.Type = Response.self
    ) async throws(NetworkError) -> Response {
        try await request(.get, url, query: query, headers: headers, retry: retry, progress: progress, as: type)
    }

    /// Sends a request to a URL and returns the body.
    @discardableResult
    public func request(
        _ method: HTTPMethod,
        _ url: some URLConvertible,
        query: QueryParameters = [:],
        headers: HTTPHeaders = [:],
        task: RemoteTask = .plain,
        retry: RetryPolicy = .inherited,
        progress: TransferMonitor? = nil
    ) async throws(NetworkError) -> Data {
        try await request(
            method,
            url,
            query: query,
            headers: headers,
            task: task,
            retry: retry,
            progress: progress,
            as: Data.self
        )
    }

    /// Sends a request to a URL and returns the decoded response.
    ///
    /// ```swift
    /// let token = try await provider.request(.post, "https://dog.ceo/token", task: .form(["user": user]), as: Token.self)
    /// let dog = try await provider.request(.put, "https://dog.ceo/dogs/7", task: .json(changed), as: Dog.self)
    /// ```
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the whole URL, with or without a query, as a text or a `URL`.
    ///   - query: parameters that are appended to the URL's query.
    ///   - headers: header fields.
    ///   - task: the body: JSON, a form, a file or a stream; none by default.
    ///   - retry: the policy of the provider's ``RetryPlugin`` for this request; the plugin's own by default.
    ///   - progress: observes the transfer; nil by default.
    ///   - type: the type of the response, as in ``RemoteTargetType/Response``; inferred by default.
    /// - Returns: the decoded response.
    /// - Throws: ``NetworkError``, whose target is named `request`.
    public func request<Response: Decodable & Sendable>(
        _ method: HTTPMethod,
        _ url: some URLConvertible,
        query: QueryParameters = [:],
        headers: HTTPHeaders = [:],
        task: RemoteTask = .plain,
        retry: RetryPolicy = .inherited,
        progress: TransferMonitor? = nil,
        as type: Response.Type = Response.self
    ) async throws(NetworkError) -> Response {
        let target = URLTarget<Response>(
            base: url.urlText,
            httpMethod: method,
            parameters: query,
            headers: headers,
            task: task,
            retry: retry
        )
        guard let progress else { return try await request(target) }
        return try await request(target, progress: progress)
    }
}

/// A URL, or its text: what the requests without a target type are sent to.
public protocol URLConvertible: Sendable {
    /// The text of the URL. Characters that a URL cannot contain are percent-encoded when the request is made.
    var urlText: String { get }
}

extension String: URLConvertible {
    /// The text itself.
    public var urlText: String { self }
}

extension URL: URLConvertible {
    /// The absolute URL.
    public var urlText: String { absoluteString }
}

/// The target of a request to a URL.
private struct URLTarget<Response: Decodable & Sendable>: RemoteTargetType {
    static var targetName: String { "request" }

    let base: String
    let httpMethod: HTTPMethod
    let parameters: QueryParameters
    let headers: HTTPHeaders
    let task: RemoteTask
    let retry: RetryPolicy
}
