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

/// Joins the answers of a download that is made in parts.
struct ResumedDownload {
    let file: PartialFile
    /// The URL without its secrets.
    let url: String
    let events: HTTPEventHandler?

    /// Writes an answer to the request for what is missing behind an offset.
    /// - Returns: the head when the file is whole and at its place; nil when there is more to ask for.
    func take(_ exchange: PendingExchange, from offset: Int64) async throws(NetworkError) -> HTTPResponseHead? {
        do {
            let head = exchange.head
            let range = head.headers["Content-Range"].flatMap { ContentRange($0) }
            switch head.status {
            case 416 where offset > 0:
                await exchange.response.discard()
                guard range?.total == offset, file.record?.matches(head.headers) == true else {
                    try file.restart(nil)
                    return nil
                }
            case 206:
                guard let range, let bytes = range.bytes, bytes.lowerBound == offset,
                    file.record?.matches(head.headers) ?? (offset == 0)
                else {
                    exchange.response.body.cancel()
                    guard offset > 0 else { throw exchange.error(.unacceptableStatus(206)) }
                    // Not the part that was asked for: only the whole is sure.
                    try file.restart(nil)
                    return nil
                }
                if offset == 0 { try file.restart(DownloadRecord(url: url, head.headers)) }
                try await write(exchange.response.body, of: range.total)
                guard file.size <= bytes.upperBound + 1 else {
                    // More than it said: nobody knows which bytes these are.
                    try file.restart(nil)
                    return nil
                }
                if file.size < max(bytes.upperBound + 1, range.total ?? 0) { return nil }
            default:
                try file.restart(DownloadRecord(url: url, head.headers))
                try await write(exchange.response.body, of: head.contentLength)
            }
            try file.commit()
            return head
        } catch let failure as AtomicFile.Failure {
            exchange.response.body.cancel()
            throw exchange.error(.file(path: failure.path, code: failure.code))
        } catch {
            throw exchange.wrap(error)
        }
    }

    private func write(_ body: HTTPResponseBody, of total: Int64?) async throws {
        for try await piece in body {
            try file.write(piece)
            events?(.downloaded(file.size, of: total))
        }
    }
}

/// A target asked for from an offset on, if it is still the version that the first bytes are of.
struct RangeTarget<Base: RemoteTargetType>: RemoteTargetType, TargetWrapper {
    let target: Base
    let offset: Int64
    let validator: String?

    static var targetName: String { Base.targetName }

    var wrapped: any RemoteTargetType { target }
    var base: String { target.base }
    var path: String { target.path }
    var timeout: HTTPTimeouts { target.timeout }
    var retry: RetryPolicy? { target.retry }
    var cachePolicy: HTTPCachePolicy? { target.cachePolicy }
    /// A range that cannot be given is an answer to be looked into.
    var validation: ResponseValidation {
        let (validation, isPart) = (target.validation, offset > 0)
        return .custom { head in
            isPart && (head.status == 416 || head.status == 206) || validation.accepts(head)
        }
    }

    func asRequest() throws(NetworkError) -> HTTPRequest {
        var request = try target.asRequest()
        // Offsets are those of the plain bytes only when nothing packs them on the way.
        request.decompresses = false
        request.headers["Accept-Encoding"] = "identity"
        if offset > 0, let validator {
            request.headers["Range"] = "bytes=\(offset)-"
            request.headers["If-Range"] = validator
        }
        return request
    }
}

/// What `Content-Range` says of a part (RFC 9110, section 14.4): `bytes 0-9/100`, `bytes 0-9/*` or `bytes */100`.
struct ContentRange: Equatable {
    /// The offsets of the part's first and last byte; nil where the range could not be given.
    var bytes: ClosedRange<Int64>?
    /// The length of the whole; nil where it is not known.
    var total: Int64?

    /// Reads a field's value; nil when it says nothing that makes sense.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[1] != "*" {
            guard let total = ContentRange.number(halves[1]) else { return nil }
            self.total = total
        }
        if halves[0] == "*" { return }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ContentRange.number(ends[0]), let last = ContentRange.number(ends[1]),
            first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        bytes = first...last
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
