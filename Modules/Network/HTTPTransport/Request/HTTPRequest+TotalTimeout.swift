extension HTTPRequest {
    /// Runs work that precedes the exchange, such as opening the body's file, within ``HTTPTimeouts/total``.
    ///
    /// - Parameter work: the work, which must end when its task is cancelled. Use `BlockingCalls` for calls that may block.
    /// - Returns: the result of `work`.
    /// - Throws: the error of `work`, ``HTTPTransportError/Code/timedOut(_:)`` or ``HTTPTransportError/Code/cancelled``.
    package func withTotalTimeout<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(HTTPTransportError) -> Value
    ) async throws(HTTPTransportError) -> Value {
        do throws(HTTPTransportError) {
            return try await timeouts.withTotal(work)
        } catch {
            throw error.at(url)
        }
    }
}

extension HTTPTimeouts {
    /// Runs work that precedes an exchange within ``total``; see ``HTTPRequest/withTotalTimeout(_:)``.
    package func withTotal<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(HTTPTransportError) -> Value
    ) async throws(HTTPTransportError) -> Value {
        let outcome = await withTimeLimit(total) { () -> Result<Value, HTTPTransportError> in
            do throws(HTTPTransportError) { return .success(try await work()) } catch { return .failure(error) }
        }
        if Task.isCancelled { throw HTTPTransportError.cancelled }
        guard let outcome else {
            let time = (total ?? .zero).roundedDescription
            throw HTTPTransportError(.timedOut(.total), detail: "the body was not ready within \(time)")
        }
        return try outcome.get()
    }
}

extension Duration {
    /// The duration for a message: rounded to tenths of a second, or to milliseconds below a second.
    package var roundedDescription: String {
        if self < .seconds(1) { return "\(Int((max(self, .zero) / .milliseconds(1)).rounded())) milliseconds" }
        let seconds = (self / .milliseconds(100)).rounded() / 10
        return "\(Int64(exactly: seconds).map(String.init) ?? "\(seconds)") seconds"
    }
}

/// Runs work, which must end when its task is cancelled, within a time limit.
/// - Returns: the result of the work; nil if the time was over first, or the task was cancelled.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration?,
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    guard let limit else { return await work() }
    return await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            try? await Task.sleep(for: max(limit, .zero))
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
