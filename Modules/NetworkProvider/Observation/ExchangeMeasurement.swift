/// What one exchange cost, and which one it was.
public struct ExchangeMeasurement: Sendable, Equatable {
    /// The number of the request, which its retries and redirects share.
    public let id: UInt64
    /// The name of the target's type.
    public let target: String
    /// What was sent, without secrets.
    public let request: RedactedRequest
    /// The labels of the request's ``RequestScope``, secrets replaced.
    public let labels: [String: String]
    /// What it cost.
    public let metrics: HTTPMetrics
    /// What the provider's cache did, for an answer that came from there; nil for an exchange.
    public let cache: HTTPCacheStatus?
}

extension ExchangeMeasurement: CustomStringConvertible {
    /// One line, safe to log: the request, the total time, the times up to name lookup, connection, TLS and first byte
    /// as far as there were any, bytes, reuse and protocol.
    public var description: String {
        func text(_ duration: Duration) -> String { "\(Int64((duration / .milliseconds(1)).rounded())) ms" }
        var parts = ["#\(id) \(request.method) \(request.url)", cache.map { "cache \($0)" } ?? text(metrics.total)]
        let steps = [
            ("name", metrics.nameLookup), ("connected", metrics.connect), ("secured", metrics.secured),
            ("first byte", metrics.firstByte),
        ]
        for case (let name, let time?) in steps { parts.append("\(name) \(text(time))") }
        parts.append("sent \(metrics.bytesSent), received \(metrics.bytesReceived) bytes")
        if let isReused = metrics.isConnectionReused { parts.append(isReused ? "kept connection" : "new connection") }
        if let version = metrics.protocolVersion { parts.append(version) }
        let shown = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return (parts + shown).joined(separator: ", ").withVisibleControls
    }
}
