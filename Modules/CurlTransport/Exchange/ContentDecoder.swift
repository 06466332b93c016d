import CLibcurl
import HTTPTransport
import TextEscaping

/// Decodes a compressed body with the codings of its Content-Encoding field, the last of which was applied last.
///
/// libcurl's own decoding does not detect a truncated body.
final class ContentDecoder {
    /// The maximum number of codings of a body. Servers use one.
    static let maximumCodings = 4

    /// The stages in the order of decoding.
    private let stages: [Inflater]
    /// The number of bytes that each stage has returned.
    private var counts: [Int64]

    /// Creates a decoder for a Content-Encoding field; nil if it has no codings.
    /// - Parameter codings: the elements of the field; `identity` is ignored.
    /// - Throws: `HTTPTransportError/Code/badContentEncoding` for an unsupported coding or too many of them.
    init?(codings: [String]) throws(HTTPTransportError) {
        let names = codings.map { $0.lowercased() }.filter { $0 != "identity" }
        guard !names.isEmpty else { return nil }
        guard names.count <= ContentDecoder.maximumCodings else {
            throw HTTPTransportError(
                .badContentEncoding,
                detail: "the body has \(names.count) codings, which is too many"
            )
        }
        var stages: [Inflater] = []
        for name in names.reversed() {
            guard let stage = Inflater(coding: name) else {
                throw HTTPTransportError(
                    .badContentEncoding,
                    detail: "the coding \(name.quoted(limit: 40)) is not supported; set HTTPRequest.decompresses to "
                        + "false to receive the body unchanged"
                )
            }
            stages.append(stage)
        }
        self.stages = stages
        counts = Array(repeating: 0, count: stages.count)
    }

    /// Whether the body is complete; true for an empty body.
    var isComplete: Bool { stages.allSatisfy(\.isComplete) }

    /// Decodes bytes.
    /// - Parameters:
    ///   - bytes: the next bytes of the body.
    ///   - check: called before `body` with the number of bytes that a stage has returned so far.
    ///   - body: called with decoded bytes, at most 64 KiB at a time.
    /// - Throws: `HTTPTransportError/Code/badContentEncoding` for malformed data, and the errors of `check` and `body`.
    func decode(
        _ bytes: UnsafeRawBufferPointer,
        check: (Int64) throws(HTTPTransportError) -> Void,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        try decode(bytes, from: 0, check, body)
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer,
        from index: Int,
        _ check: (Int64) throws(HTTPTransportError) -> Void,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        guard index < stages.count else { return try body(bytes) }
        try stages[index].inflate(bytes) { piece throws(HTTPTransportError) in
            counts[index] += Int64(piece.count)
            try check(counts[index])
            try decode(piece, from: index + 1, check, body)
        }
    }
}

/// Decompresses gzip, zlib and raw deflate data as it arrives, and detects a truncated stream.
final class Inflater {
    private let stream: UnsafeMutablePointer<paw_zlib_stream>
    private let isDeflate: Bool
    private var hasInput = false
    private var isEnded = false

    /// Creates a decompressor for a content coding in lower case; nil for an unsupported one.
    init?(coding: String) {
        switch coding {
        case "gzip", "x-gzip": isDeflate = false
        case "deflate": isDeflate = true
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

    /// Whether every stream that has begun has ended; true without any input.
    var isComplete: Bool { isEnded || !hasInput }

    /// Decompresses bytes and passes the result on, at most 64 KiB at a time.
    func inflate(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        let isFirst = !hasInput
        hasInput = true
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { output.deallocate() }
        stream.pointee.next_in = base.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(bytes.count)
        while true {
            if isEnded {
                // Another gzip member may follow; anything else after the end is padding.
                guard stream.pointee.avail_in > 0, stream.pointee.next_in?.pointee == 0x1f else { return }
                inflateReset2(stream, Inflater.wrapped)
                isEnded = false
            }
            let result = try step(output, body)
            switch result {
            case 0:
                if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return }
            case 1:
                isEnded = true
            case -5:
                return
            default:
                guard isFirst, isDeflate, stream.pointee.total_out == 0 else {
                    let reason = stream.pointee.msg.map { String(cString: $0) } ?? "code \(result)"
                    throw HTTPTransportError(.badContentEncoding, detail: reason)
                }
                inflateReset2(stream, Inflater.raw)
                stream.pointee.next_in = base.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_in = UInt32(bytes.count)
                return try inflateRaw(output, body)
            }
        }
    }

    private func inflateRaw(
        _ output: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        repeat {
            let result = try step(output, body)
            if result == 1 {
                isEnded = true
                return
            }
            guard result == 0 || result == -5 else {
                throw HTTPTransportError(.badContentEncoding, detail: "the data is neither zlib nor deflate")
            }
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
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
