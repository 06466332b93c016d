public import HTTPTransport
public import NetworkProvider
public import NetworkTesting

/// A target whose every property is a parameter.
public struct Call<Response: Sendable & Decodable>: StubbedTarget {
    public var base: String
    public var path: String
    public var httpMethod: HTTPMethod
    public var parameters: QueryParameters
    public var headers: HTTPHeaders
    public var task: RemoteTask
    public var timeout: HTTPTimeouts
    public var validation: ResponseValidation
    public var limits: HTTPLimits
    public var maximumBodyBytes: Int
    public var deduplicates: Bool?
    public var stub: StubbedResponse?

    /// Creates a call; everything but the base has the default of a target.
    public init(
        base: String,
        path: String = "/",
        httpMethod: HTTPMethod = .get,
        parameters: QueryParameters = [:],
        headers: HTTPHeaders = [:],
        task: RemoteTask = .plain,
        timeout: HTTPTimeouts = HTTPTimeouts(),
        validation: ResponseValidation = .success,
        limits: HTTPLimits = HTTPLimits(),
        maximumBodyBytes: Int = 0,
        deduplicates: Bool? = nil,
        stub: StubbedResponse? = nil
    ) {
        self.base = base
        self.path = path
        self.httpMethod = httpMethod
        self.parameters = parameters
        self.headers = headers
        self.task = task
        self.timeout = timeout
        self.validation = validation
        self.limits = limits
        self.maximumBodyBytes = maximumBodyBytes
        self.deduplicates = deduplicates
        self.stub = stub
    }
}

/// Thrown by a test where a value has another case than expected.
public struct UnexpectedResult: Error {
    /// Creates the error.
    public init() {}
}

extension NetworkProvider {
    /// Returns the failure of a target; nil if its request succeeds.
    public func failure(of target: some RemoteTargetType) async -> NetworkError? {
        do throws(NetworkError) {
            _ = try await request(target)
            return nil
        } catch {
            return error
        }
    }
}

extension NetworkError {
    /// The code of a failure of the transport.
    public var transportCode: HTTPTransportError.Code? {
        if case .transport(let error) = reason { error.code } else { nil }
    }
}
