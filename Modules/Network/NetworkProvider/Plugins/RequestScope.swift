/// The labels and header fields that the requests of a piece of work share, such as those of a trace.
///
/// ```swift
/// try await RequestScope.with(labels: ["screen": "breeds"], headers: ["traceparent": trace]) {
///     try await provider.request(Breeds())
/// }
/// ```
///
/// It is task-local: child tasks inherit it, detached ones do not. Nested scopes are merged; the inner one overrides.
/// Plugins see it as ``RequestContext/scope``; ``LoggingPlugin`` and ``MetricsPlugin`` show its labels.
public struct RequestScope: Sendable, Equatable {
    /// Names and values for logs and measurements. A label whose name is secret by the redaction is not shown.
    public var labels: [String: String]
    /// Fields of each request; a request's own field of the same name overrides them.
    public var headers: HTTPHeaders

    /// Creates a scope.
    public init(labels: [String: String] = [:], headers: HTTPHeaders = [:]) {
        self.labels = labels
        self.headers = headers
    }

    /// The current task's scope; empty by default.
    @TaskLocal public static var current = RequestScope()

    /// Runs work in a scope within the current one.
    /// - Parameters:
    ///   - labels: override those of the current scope.
    ///   - headers: override those of the current scope.
    ///   - isolation: the caller's actor, on which the work runs.
    ///   - work: the work; it is part of the current task.
    /// - Returns: the result of the work.
    /// - Throws: the error of the work.
    public static func with<Value, Failure: Error>(
        labels: [String: String] = [:],
        headers: HTTPHeaders = [:],
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outer = current
        let scope = RequestScope(labels: outer.labels.merging(labels) { $1 }, headers: outer.headers.merging(headers))
        // The closure of a task-local value throws untyped errors.
        let result: Result<Value, Failure> = await $current.withValue(scope) {
            do throws(Failure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Returns the request with the scope's fields that it does not have itself.
    func applied(to request: HTTPRequest) -> HTTPRequest {
        guard !headers.isEmpty else { return request }
        var request = request
        request.headers = headers.merging(request.headers)
        return request
    }

    /// Returns the labels without secrets.
    func redactedLabels(_ redaction: Redaction) -> [String: String] {
        var shown: [String: String] = [:]
        for (name, value) in labels {
            shown[name] = redaction.isSecretFormField(name) ? Redaction.mark : redaction.redacted(text: value)
        }
        return shown
    }

    /// Returns the labels for a line of a log, sorted by name; empty without labels.
    func text(_ redaction: Redaction) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = redactedLabels(redaction).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return " [\(pairs.joined(separator: " "))]"
    }
}
