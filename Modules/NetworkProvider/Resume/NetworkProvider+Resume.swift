#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NetworkProvider {
    /// Downloads a target to a file and goes on where an earlier try was broken off, in this process or in another one.
    ///
    /// The bytes so far stand beside the file as `PATH.partial`, with the version they are of in `PATH.partial.json`.
    /// The rest is asked for with `Range`, and with `If-Range` so that a resource that has changed comes whole and
    /// anew: two versions are never joined. That takes a strong ETag, or a Last-Modified with a Date, from the server;
    /// without one a broken download begins again. The file appears at its place when it is whole. Bodies come unpacked.
    ///
    /// Two downloads of one file at a time exclude each other, over all processes: the second one fails with
    /// ``NetworkError/Reason/file(path:code:)`` and `EWOULDBLOCK`.
    /// - Parameters:
    ///   - target: what is asked for, by GET.
    ///   - path: where the file goes; its folder must be there.
    ///   - policy: how often in a row a connection may break without a new byte, and the waits between.
    ///   - clock: what waits are measured by.
    ///   - events: told of the bytes of the whole file that are there, earlier ones included.
    /// - Returns: the head of the last answer, with status 200, 206, or 416 where nothing was missing.
    /// - Throws: ``NetworkError``; the bytes so far are kept, also after a cancellation.
    @discardableResult
    public func resumeDownload<Target: RemoteTargetType>(
        _ target: Target,
        to path: String,
        policy: RetryPolicy = RetryPolicy(maximumAttempts: 5),
        clock: any Clock<Duration> = ContinuousClock(),
        events: HTTPEventHandler? = nil
    ) async throws(NetworkError) -> HTTPResponseHead {
        let request = redaction.redacted(try target.asRequest())
        let file: PartialFile
        do throws(AtomicFile.Failure) {
            file = try PartialFile(path)
            if file.record?.url != request.url { try file.restart(nil) }
        } catch {
            throw NetworkError(.file(path: error.path, code: error.code), target: Target.targetName, request: request)
        }
        let download = ResumedDownload(file: file, url: request.url, events: events)
        var failures = 0
        var furthest = file.size
        while true {
            do throws(NetworkError) {
                if let head = try await part(of: target, download) { return head }
                failures = file.size > furthest ? 0 : failures + 1
                guard failures < policy.maximumAttempts else {
                    throw NetworkError(
                        .transport(HTTPTransportError(.bodyTruncated, detail: "the server gives no more bytes")),
                        target: Target.targetName,
                        request: request
                    )
                }
            } catch {
                failures = file.size > furthest ? 1 : failures + 1
                guard failures < policy.maximumAttempts, error.isInterruption else { throw error }
            }
            furthest = max(furthest, file.size)
            guard failures > 0 else { continue }
            do {
                try await clock.sleep(for: policy.delay(beforeRetry: failures, random: .random(in: 0..<1)))
            } catch {
                throw NetworkError.wrapping(error, target: Target.targetName, request: request)
            }
        }
    }

    /// Asks once for what is missing; nil when there is more to ask for.
    private func part<Target: RemoteTargetType>(
        of target: Target,
        _ download: ResumedDownload
    ) async throws(NetworkError) -> HTTPResponseHead? {
        let ranged = RangeTarget(target: target, offset: download.file.size, validator: download.file.record?.validator)
        // Progress is told by what is in the file; only the end is the transport's to tell.
        let told = download.events.map(NetworkProvider.onlyEnd)
        let exchange = try await perform(ranged, events: told) { exchange throws(NetworkError) in exchange }
        return try await download.take(exchange, from: ranged.offset)
    }

    private static func onlyEnd(_ events: @escaping HTTPEventHandler) -> HTTPEventHandler {
        { event in
            if case .finished = event { events(event) }
        }
    }
}
