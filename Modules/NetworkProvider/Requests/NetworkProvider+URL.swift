#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Requests without a target type, for a URL that is used in one place.
extension NetworkProvider {
    /// Sends a GET request to a URL and returns the decoded response.
    ///
    /// ```swift
    /// let breeds = try await provider.get("https://dog.ceo/api/breeds", as: [String].self)
    /// ```
    public func get<Response: Decodable & Sendable>(
        _ url: String,
        query: QueryParameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Response.Type = Data.self
    ) async throws(NetworkError) -> Response {
        try await request(.get, url, query: query, headers: headers, as: type)
    }

    /// Sends a request to a URL and returns the decoded response.
    ///
    /// ```swift
    /// let token = try await provider.request(.post, "https://dog.ceo/token", task: .form(["user": user]), as: Token.self)
    /// let dog = try await provider.request(.put, "https://dog.ceo/dogs/7", task: .json(changed), as: Dog.self)
    /// ```
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the whole URL, with or without a query.
    ///   - query: parameters that are appended to the URL's query.
    ///   - headers: header fields.
    ///   - task: the body: JSON, a form, a file or a stream; none by default.
    ///   - type: the type of the response, as in ``RemoteTargetType/Response``; raw `Data` by default.
    /// - Returns: the decoded response.
    /// - Throws: ``NetworkError``, whose target is named `request`.
    public func request<Response: Decodable & Sendable>(
        _ method: HTTPMethod,
        _ url: String,
        query: QueryParameters? = nil,
        headers: HTTPHeaders? = nil,
        task: RemoteTask = .plain,
        as type: Response.Type = Data.self
    ) async throws(NetworkError) -> Response {
        try await request(
            URLTarget<Response>(base: url, httpMethod: method, parameters: query, headers: headers, task: task)
        )
    }
}

/// The target of a request to a URL.
private struct URLTarget<Response: Decodable & Sendable>: RemoteTargetType {
    static var targetName: String { "request" }

    let base: String
    let httpMethod: HTTPMethod
    let parameters: QueryParameters?
    let headers: HTTPHeaders?
    let task: RemoteTask
}
