import EssentialFoundation
import Threading

extension NetworkProvider {
    /// Downloads a target to a file, and continues an earlier download that was interrupted, in this process or in another.
    ///
    /// The bytes so far are in `PATH.partial`, and their version in `PATH.partial.json`. The rest is requested with
    /// `Range`, and with `If-Range`, so that a resource that has changed is sent whole: two versions are never joined. The
    /// server must send a strong ETag, or Last-Modified with Date, also with each part; otherwise an interrupted download
    /// begins again. The file appears at its path when it is complete. Compressed bodies are not requested; one that is sent
    /// nevertheless is decompressed and cannot be continued.
    ///
    /// Two downloads of one file at a time exclude each other, across all processes: the second one fails with
    /// ``NetworkError/Reason/file(path:code:)`` and `EWOULDBLOCK`. As by ``download(_:to:events:)``, a symbolic link at the path
    /// is replaced, and a folder, a FIFO or a device is not.
    /// - Parameters:
    ///   - target: the target; its method is GET.
    ///   - path: the path of the file; its folder must exist.
    ///   - policy: how often in a row a connection may break without a new byte, and the delays between.
    ///   - clock: measures the delays.
    ///   - events: called with the number of bytes of the whole file, earlier ones included.
    /// - Returns: the head of a response for the whole file: status 200 and the header fields of the last response, with
    ///   the file's length as Content-Length, however many parts were requested.
    /// - Throws: ``NetworkError``; the bytes so far are stored, after a cancellation too.
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
        do {
            file = try await BlockingCalls.run { try PartialFile(path) }
        } catch let failure as AtomicFile.Failure {
            throw failure.error(of: Target.self, request)
        } catch {
            throw NetworkError.wrapping(error, target: Target.targetName, request: request)
        }
        let download = ResumedDownload(file: file, url: request.url, events: events)
        let result: Result<HTTPResponseHead, NetworkError>
        do throws(NetworkError) {
            result = .success(try await parts(of: target, download, request, policy, clock))
        } catch {
            result = .failure(error)
        }
        await file.close()
        return try result.get()
    }

    /// Requests the missing bytes until the file is complete.
    private func parts<Target: RemoteTargetType>(
        of target: Target,
        _ download: ResumedDownload,
        _ request: RedactedRequest,
        _ policy: RetryPolicy,
        _ clock: any Clock<Duration>
    ) async throws(NetworkError) -> HTTPResponseHead {
        let file = download.file
        do throws(AtomicFile.Failure) {
            if file.record?.url != request.url { try await file.restart(nil) }
        } catch {
            throw error.error(of: Target.self, request)
        }
        var failures = 0
        var furthest = file.size
        while true {
            do throws(NetworkError) {
                if let head = try await part(of: target, download) { return head }
                failures = file.size > furthest ? 0 : failures + 1
                guard failures < policy.maximumAttempts else {
                    throw NetworkError(
                        .transport(HTTPTransportError(.bodyTruncated, detail: "the server sends no more bytes")),
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

    /// Requests the missing bytes once; nil if more are missing.
    private func part<Target: RemoteTargetType>(
        of target: Target,
        _ download: ResumedDownload
    ) async throws(NetworkError) -> HTTPResponseHead? {
        let ranged = RangeTarget(target: target, offset: download.file.size, validator: download.file.record?.validator)
        // The file's size is the progress; the transport reports only the end of each exchange.
        let events = download.events.map { events -> HTTPEventHandler in
            { event in
                switch event {
                case .finished, .failed: events(event)
                case .uploaded, .downloaded: break
                }
            }
        }
        let exchange = try await perform(ranged, events: events) { exchange throws(NetworkError) in exchange }
        return try await download.take(exchange, from: ranged.offset)
    }
}

extension AtomicFile.Failure {
    fileprivate func error<Target: RemoteTargetType>(of target: Target.Type, _ request: RedactedRequest) -> NetworkError
    {
        NetworkError(.file(path: path, code: code), target: Target.targetName, request: request)
    }
}

/// Joins the responses of a download in parts.
struct ResumedDownload {
    let file: PartialFile
    /// The redacted URL.
    let url: String
    let events: HTTPEventHandler?

    /// Writes a response to a request for the bytes from an offset on.
    /// - Returns: the head for the whole file if it is complete and at its path; nil if bytes are missing.
    func take(_ exchange: PendingResponse, from offset: Int64) async throws(NetworkError) -> HTTPResponseHead? {
        do {
            let head = exchange.head
            let range = head.headers[.contentRange].flatMap { ContentRange($0) }
            switch head.status {
            case 416 where offset > 0:
                await exchange.response.discard()
                guard range?.total == offset, file.record?.matches(head.headers) == true else {
                    try await file.restart(nil)
                    return nil
                }
                events?(.downloaded(offset, of: offset))
            case 206:
                guard let range, let bytes = range.bytes, bytes.lowerBound == offset,
                    file.record.map({ $0.matches(head.headers) }) ?? (offset == 0)
                else {
                    exchange.response.body.cancel()
                    guard offset > 0 else { throw exchange.error(.unacceptableStatus(206)) }
                    // Another part than the requested one: only the whole resource is certain.
                    try await file.restart(nil)
                    return nil
                }
                if offset == 0 { try await file.restart(DownloadRecord(url: url, head.headers)) }
                let total = range.total ?? file.record?.total
                try await write(exchange.response.body, of: total)
                guard file.size <= min(bytes.upperBound + 1, total ?? .max) else {
                    // More bytes than announced: their offsets are not known.
                    try await file.restart(nil)
                    return nil
                }
                // Without a total, the next request shows whether this was the last part: its status is 416 then.
                guard file.size == total else { return nil }
            default:
                try await file.restart(DownloadRecord(url: url, head.headers))
                let isEncoded = DownloadRecord.isEncoded(head.headers)
                try await write(exchange.response.body, of: isEncoded ? nil : head.contentLength)
            }
            try await file.commit()
            return wholeHead(head)
        } catch let failure as AtomicFile.Failure {
            exchange.response.body.cancel()
            throw exchange.error(.file(path: failure.path, code: failure.code))
        } catch {
            throw exchange.wrap(error)
        }
    }

    private func write(_ body: HTTPResponseBody, of total: Int64?) async throws {
        for try await piece in body {
            try await file.write(piece)
            events?(.downloaded(file.size, of: total))
        }
    }

    /// The head of the last part as that of the whole file.
    private func wholeHead(_ head: HTTPResponseHead) -> HTTPResponseHead {
        guard head.status == 206 || head.status == 416 else { return head }
        var whole = head
        whole.status = 200
        whole.headers.remove(.contentRange)
        whole.headers[.contentLength] = "\(file.size)"
        return whole
    }
}

/// A target whose bytes are requested from an offset on, if they are of the version of the first bytes.
struct RangeTarget<Base: RemoteTargetType>: RemoteTargetType, TargetWrapper {
    let target: Base
    let offset: Int64
    let validator: String?

    static var targetName: String { Base.targetName }

    var wrapped: any RemoteTargetType { target }
    var base: String { target.base }
    var path: String { get throws(NetworkError) { try target.path } }
    var timeout: HTTPTimeouts { target.timeout }
    var retry: RetryPolicy { target.retry }
    var cachePolicy: HTTPCachePolicy { target.cachePolicy }
    /// A range that the server cannot send is a response to be examined, not an error.
    var validation: ResponseValidation {
        let (validation, isPart) = (target.validation, offset > 0)
        return .custom { head in
            isPart && (head.status == 416 || head.status == 206) || validation.accepts(head)
        }
    }

    func asRequest() throws(NetworkError) -> HTTPRequest {
        var request = try target.asRequest()
        // Offsets count the bytes of the resource only if nothing compresses them. A server that compresses them nevertheless
        // is not resumed.
        request.decompresses = true
        request.headers[.acceptEncoding] = "identity"
        if offset > 0, let validator {
            request.headers[.range] = "bytes=\(offset)-"
            request.headers[.ifRange] = validator
        }
        return request
    }
}

/// The value of a `Content-Range` field (RFC 9110, section 14.4): `bytes 0-9/100`, `bytes 0-9/*` or `bytes */100`.
struct ContentRange: Equatable {
    /// The offsets of the part's first and last byte; nil if the server cannot send the range.
    var bytes: ClosedRange<Int64>?
    /// The length of the whole resource; nil if it is not known.
    var total: Int64?

    /// Parses a field's value; nil if it is invalid.
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
