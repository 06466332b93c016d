/// What all requests made within a piece of work have in common: labels for logs, and header fields such as a trace's.
///
/// ```swift
/// try await RequestScope.with(labels: ["screen": "breeds"], headers: ["traceparent": trace]) {
///     try await provider.request(Breeds())
/// }
/// ```
///
/// It is task-local: child tasks have it too, detached ones do not. Scopes within one another add up, the inner one wins.
/// Plugins see it as ``RequestContext/scope``; ``LoggingPlugin`` and ``MetricsPlugin`` show its labels.
public struct RequestScope: Sendable, Equatable {
    /// Names and values for logs and measurements. Those whose names are secret by the redaction are not shown.
    public var labels: [String: String]
    /// Fields that each request carries, unless it has one of that name.
    public var headers: HTTPHeaders

    /// Creates a scope.
    public init(labels: [String: String] = [:], headers: HTTPHeaders = [:]) {
        self.labels = labels
        self.headers = headers
    }

    /// The present task's scope; empty outside of all.
    @TaskLocal public static var current = RequestScope()

    /// Runs work in a scope within the present one.
    /// - Parameters:
    ///   - labels: laid over the present ones.
    ///   - headers: laid over the present ones.
    ///   - isolation: the caller's actor, on which the work runs.
    ///   - work: what is run; it is part of the present task.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws.
    public static func with<Value, Failure: Error>(
        labels: [String: String] = [:],
        headers: HTTPHeaders = [:],
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outer = current
        let scope = RequestScope(
            labels: outer.labels.merging(labels) { $1 },
            headers: outer.headers.merging(headers)
        )
        // A task-local's own closure throws untyped.
        let result: Result<Value, Failure> = await $current.withValue(scope) {
            do throws(Failure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The request with the scope's fields that it has none of its own for.
    func applied(to request: HTTPRequest) -> HTTPRequest {
        guard !headers.isEmpty else { return request }
        var request = request
        request.headers = headers.merging(request.headers)
        return request
    }

    /// The labels without secrets.
    func redactedLabels(_ redaction: Redaction) -> [String: String] {
        var shown: [String: String] = [:]
        for (name, value) in labels {
            shown[name] = redaction.isSecretFormField(name) ? Redaction.mark : redaction.redacted(text: value)
        }
        return shown
    }

    /// The labels for a line of a log, in the order of their names; empty without any.
    func text(_ redaction: Redaction) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = redactedLabels(redaction).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return " [\(pairs.joined(separator: " "))]"
    }
}
