import CLibcurl
import HTTPTransport

/// Decompresses gzip, zlib and raw deflate data as it arrives, and detects a truncated stream.
final class Inflater: Decompressor {
    private let stream: UnsafeMutablePointer<paw_zlib_stream>
    /// The first bytes of "deflate" data, until they show whether it has the wrapper of zlib, or those after the end of a
    /// stream, until they show whether another one follows.
    private var undecided: [UInt8]?
    private var hasInput = false
    private var isEnded = false
    /// Whether the rest is padding.
    private var isPadded = false

    /// Creates a decompressor for a content coding in lower case; nil for an unsupported one.
    init?(coding: String) {
        switch coding {
        case "gzip", "x-gzip": undecided = nil
        case "deflate": undecided = []
        default: return nil
        }
        stream = .allocate(capacity: 1)
        stream.initialize(to: paw_zlib_stream())
        guard paw_inflate_begin(stream, Inflater.wrapped) == 0 else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Window bits for gzip and zlib, detected from the first bytes.
    private static let wrapped: Int32 = 15 + 32
    /// Window bits for deflate without a wrapper, which some servers send as "deflate".
    private static let raw: Int32 = -15

    var isComplete: Bool { isEnded || !hasInput }

    func decompress(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        guard !bytes.isEmpty, !isPadded else { return }
        hasInput = true
        guard var first = undecided else { return try inflateAll(bytes, body) }
        first += bytes
        undecided = first
        guard first.count >= 2 else { return }
        undecided = nil
        // RFC 1950, section 2.2: the method, and a multiple of 31.
        let isWrapped = first[0] & 15 == 8 && (UInt16(first[0]) << 8 | UInt16(first[1])) % 31 == 0
        if !isWrapped, !isEnded { inflateReset2(stream, Inflater.raw) }
        try first.span.withUnsafeBytes { bytes throws(HTTPTransportError) in try inflateAll(bytes, body) }
    }

    private func inflateAll(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        guard let base = bytes.baseAddress else { return }
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { output.deallocate() }
        stream.pointee.next_in = base.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(bytes.count)
        while true {
            if isEnded {
                let rest = UnsafeBufferPointer(start: stream.pointee.next_in, count: Int(stream.pointee.avail_in))
                guard rest.count >= 2 else { return undecided = Array(rest) }
                // Another gzip member may follow (RFC 1952, section 2.3.1); anything else after the end is padding.
                guard rest[0] == 0x1f, rest[1] == 0x8b else { return isPadded = true }
                inflateReset2(stream, Inflater.wrapped)
                isEnded = false
            }
            switch try step(output, body) {
            case 0: if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return }
            case 1: isEnded = true
            case -5: return
            case let code:
                let reason = stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)"
                throw HTTPTransportError(.badContentEncoding, detail: reason)
            }
        }
    }

    /// Fills the output buffer once and passes on what zlib has written to it.
    private func step(
        _ output: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) -> Int32 {
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        let result = CLibcurl.inflate(stream, 0)
        let count = output.count - Int(stream.pointee.avail_out)
        if count > 0 { try body(UnsafeRawBufferPointer(rebasing: output[..<count])) }
        return result
    }
}
