extension NetworkProvider {
    /// Sends a target and gives its response, with its progress beside.
    public func request<Target: RemoteTargetType>(
        _ target: Target,
        progress: TransferMonitor
    ) async throws(NetworkError) -> Target.Response {
        defer { progress.finish() }
        return try await response(target, events: progress.handler).value
    }

    /// Sends a target and gives its response with the head it came with, with its progress beside.
    public func response<Target: RemoteTargetType>(
        _ target: Target,
        progress: TransferMonitor
    ) async throws(NetworkError) -> NetworkResponse<Target.Response> {
        defer { progress.finish() }
        return try await response(target, events: progress.handler)
    }

    /// Sends a target whose body is worth watching, with its progress beside.
    public func upload<Target: RemoteTargetType>(
        _ target: Target,
        progress: TransferMonitor
    ) async throws(NetworkError) -> NetworkResponse<Target.Response> {
        try await response(target, progress: progress)
    }

    /// Sends a target and gives the validated answer with its body as it arrives. Its progress goes on beside until
    /// the body has been read, is cancelled or let go of.
    public func stream<Target: RemoteTargetType>(
        _ target: Target,
        progress: TransferMonitor
    ) async throws(NetworkError) -> HTTPResponse {
        do throws(NetworkError) {
            var response = try await stream(target, events: progress.handler)
            response.body = HTTPResponseBody(TappedBody(response.body) { _ in progress.finish() })
            return response
        } catch {
            progress.finish()
            throw error
        }
    }

    /// Sends a target and writes the answer's body to a file, with its progress beside.
    @discardableResult
    public func download<Target: RemoteTargetType>(
        _ target: Target,
        to path: String,
        progress: TransferMonitor
    ) async throws(NetworkError) -> HTTPResponseHead {
        defer { progress.finish() }
        return try await download(target, to: path, events: progress.handler)
    }

    /// Downloads a target to a file and goes on where an earlier try was broken off, with the progress of the whole file
    /// beside, earlier bytes included.
    @discardableResult
    public func resumeDownload<Target: RemoteTargetType>(
        _ target: Target,
        to path: String,
        policy: RetryPolicy = RetryPolicy(maximumAttempts: 5),
        clock: any Clock<Duration> = ContinuousClock(),
        progress: TransferMonitor
    ) async throws(NetworkError) -> HTTPResponseHead {
        defer { progress.finish() }
        return try await resumeDownload(target, to: path, policy: policy, clock: clock, events: progress.handler)
    }
}
