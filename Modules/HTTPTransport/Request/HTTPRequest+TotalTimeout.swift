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
        let total = total
        let outcome = await withTaskGroup(of: Result<Value, HTTPTransportError>.self) { group in
            group.addTask {
                do throws(HTTPTransportError) { return .success(try await work()) } catch { return .failure(error) }
            }
            if let total {
                group.addTask {
                    let hasExpired = (try? await Task.sleep(for: total)) != nil
                    let expiry = HTTPTransportError(.timedOut(.total), detail: "the body was not ready within \(total)")
                    return .failure(hasExpired ? expiry : .cancelled)
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
        if Task.isCancelled { throw HTTPTransportError.cancelled }
        return try outcome.get()
    }
}
