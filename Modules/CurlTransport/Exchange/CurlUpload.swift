import HTTPTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The bytes of a request's body, read by the loop's thread whenever libcurl has room.
final class CurlUpload: @unchecked Sendable {
    /// What reading gave.
    enum Reading {
        /// So many bytes; 0 is the end.
        case bytes(Int)
        /// Nothing yet; the loop is woken when there is.
        case later
        /// The body cannot be made, for this reason.
        case failed(String)
    }

    private enum Source {
        case none
        case data(Data)
        case file(Int32)
        case stream(HTTPBodyStream)
    }

    private let source: Source
    /// The number of bytes in all, where it is known.
    let length: Int64?
    /// The bytes given to libcurl so far.
    private(set) var sent: Int64 = 0
    private var pump: UploadPump?

    /// Opens what has to be opened, so that an unreadable file is refused before a byte leaves.
    init(_ body: HTTPBody, url: URL) throws(HTTPTransportError) {
        switch body {
        case .none:
            source = .none
            length = 0
        case .data(let data):
            source = .data(data)
            length = Int64(data.count)
        case .stream(let stream):
            source = .stream(stream)
            length = stream.length
        case .file(let path):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            var status = stat()
            guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                let reason = descriptor < 0 ? String(cString: strerror(errno)) : "it is no regular file"
                if descriptor >= 0 { close(descriptor) }
                throw HTTPTransportError(.invalidBody, url: url, detail: "the file \(path) cannot be read: \(reason)")
            }
            source = .file(descriptor)
            length = Int64(status.st_size)
        }
    }

    /// Refuses a stream that gives bytes though its length is 0: libcurl would never ask for them.
    static func refuseExcess(_ body: HTTPBody, url: URL) async throws(HTTPTransportError) {
        guard case .stream(let stream) = body, stream.length == 0 else { return }
        do {
            for try await piece in stream.makePieces() where !piece.isEmpty { throw UploadPump.Excess(length: 0) }
        } catch {
            let why = (error as? UploadPump.Excess)?.description ?? "making the body failed: \(error)"
            throw HTTPTransportError(.uploadFailed, url: url, detail: why)
        }
    }

    deinit {
        pump?.stop()
        if case .file(let descriptor) = source { close(descriptor) }
    }

    var isNeeded: Bool {
        if case .none = source { false } else { true }
    }

    /// Fills `room` with the next bytes.
    func read(into room: UnsafeMutableRawBufferPointer, for exchange: CurlExchange) -> Reading {
        let reading: Reading
        switch source {
        case .none:
            reading = .bytes(0)
        case .data(let data):
            let count = min(room.count, data.count - Int(sent))
            data.withUnsafeBytes {
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(sent)...].prefix(count)))
            }
            reading = .bytes(count)
        case .file(let descriptor):
            // From the page cache as a rule; a slow disk holds other exchanges up for one block.
            // What was added to the file since the sending began is left out.
            let most = min(room.count, Int(clamping: (length ?? 0) - sent))
            let count = pread(descriptor, room.baseAddress, most, off_t(sent))
            reading = count < 0 ? .failed("reading the file: \(String(cString: strerror(errno)))") : .bytes(count)
        case .stream(let stream):
            let pump = pump ?? UploadPump(stream, exchange)
            self.pump = pump
            reading = pump.read(into: room)
        }
        return checked(reading)
    }

    private func checked(_ reading: Reading) -> Reading {
        guard case .bytes(let count) = reading else { return reading }
        sent += Int64(count)
        guard let length, count == 0, sent < length else { return reading }
        return .failed("the body ended after \(sent) of \(length) bytes")
    }

    /// Begins again, when a connection turned out to be stale.
    func rewind() {
        sent = 0
        stop()
    }

    /// Ends the making of pieces.
    func stop() {
        pump?.stop()
        pump = nil
    }
}
