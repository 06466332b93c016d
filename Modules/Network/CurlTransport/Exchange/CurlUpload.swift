import EssentialFoundation
import HTTPTransport
import Threading

/// The body of a request, copied by the loop whenever libcurl can send. The loop never waits for it.
final class CurlUpload: @unchecked Sendable {
    /// The result of reading.
    enum Reading {
        /// The number of bytes; 0 at the end.
        case bytes(Int)
        /// Nothing yet; the loop is woken when there are bytes.
        case later
        /// The body cannot be read, with the reason.
        case failed(String)
    }

    enum Source {
        case none
        case data(Data)
        case stream(HTTPBodyStream)
    }

    private let source: Source
    /// The number of bytes; nil if unknown.
    let length: Int64?
    /// The number of bytes passed to libcurl so far.
    private(set) var sent: Int64 = 0
    private var pump: UploadPump?

    init(_ source: Source) {
        self.source = source
        length =
            switch source {
            case .none: 0
            case .data(let data): Int64(data.count)
            case .stream(let stream): stream.length
            }
    }

    /// Creates a body that needs no preparation; nil for one that ``open(_:openFile:)`` must prepare.
    convenience init?(_ body: HTTPBody) {
        switch body {
        case .none: self.init(Source.none)
        case .data(let data): self.init(Source.data(data))
        case .stream(let stream) where stream.length != 0: self.init(Source.stream(stream))
        case .stream, .file: return nil
        }
    }

    deinit { pump?.stop() }

    /// Whether there is a body, even an empty one.
    var isNeeded: Bool {
        if case .none = source { false } else { true }
    }

    /// Fills a buffer with the next bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer, for exchange: CurlExchange) -> Reading {
        let reading: Reading
        switch source {
        case .none: reading = .bytes(0)
        case .data(let data):
            let count = min(buffer.count, data.count - Int(sent))
            data.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(sent)...].prefix(count)))
            }
            reading = .bytes(count)
        case .stream(let stream):
            let pump = pump ?? UploadPump(stream, exchange)
            self.pump = pump
            reading = pump.read(into: buffer)
        }
        return checked(reading)
    }

    private func checked(_ reading: Reading) -> Reading {
        guard case .bytes(let count) = reading else { return reading }
        sent += Int64(count)
        guard let length, count == 0, sent < length else { return reading }
        return .failed("the body ended after \(sent) of \(length) bytes")
    }

    /// Starts again from the beginning, after a connection broke before the request was processed.
    func rewind() {
        sent = 0
        stop()
    }

    /// Stops producing pieces.
    func stop() {
        pump?.stop()
        pump = nil
    }
}

// MARK: - Opening

extension CurlUpload {
    /// Opens the file at a path.
    typealias OpenFile = @Sendable (_ path: String) throws -> any ReadableFile

    /// Opens the body of a request, so that an unreadable file is refused before anything is sent.
    /// - Parameters:
    ///   - request: the request.
    ///   - openFile: opens a file. It may block, and so may the file's calls: both run outside the cooperative threads and
    ///     the loop's thread.
    ///   - threads: the threads on which they run.
    /// - Returns: the body, ready to be read.
    /// - Throws: `HTTPTransportError/Code/invalidBody` for a file that cannot be read or is not a regular file,
    ///   `HTTPTransportError/Code/timedOut(_:)` if that takes longer than the request's total timeout.
    static func open(
        _ request: HTTPRequest,
        openFile: @escaping OpenFile = { try RegularFile(path: $0) },
        threads: ThreadCache
    ) async throws(HTTPTransportError) -> CurlUpload {
        if let upload = CurlUpload(request.body) { return upload }
        switch request.body {
        case .none, .data: return CurlUpload(Source.none)
        case .stream(let stream):
            try await checkIsEmpty(stream, request)
            return CurlUpload(Source.stream(stream))
        case .file(let path):
            return try await request.withTotalTimeout { () async throws(HTTPTransportError) in
                do {
                    return try await BlockingCalls.run(on: threads) {
                        let file = try openFile(path)
                        _ = try file.read(1, at: 0)
                        return CurlUpload(
                            Source.stream(HTTPBodyStream(length: file.size) { FileBlocks(of: file, on: threads) })
                        )
                    }
                } catch is CancellationError {
                    throw .cancelled
                } catch {
                    throw HTTPTransportError(.invalidBody, detail: "the file \(path) cannot be read: \(error)")
                }
            }
        }
    }

    /// Refuses a stream that returns bytes although its length is 0: libcurl would never read them.
    private static func checkIsEmpty(_ stream: HTTPBodyStream, _ request: HTTPRequest) async throws(HTTPTransportError)
    {
        try await request.withTotalTimeout { () async throws(HTTPTransportError) in
            do {
                for try await piece in stream.makePieces() where !piece.isEmpty { throw UploadPump.Excess(length: 0) }
            } catch {
                let reason = (error as? UploadPump.Excess)?.description ?? "the body cannot be produced: \(error)"
                throw HTTPTransportError(.uploadFailed, detail: reason)
            }
        }
    }
}
