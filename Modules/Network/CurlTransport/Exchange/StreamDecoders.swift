import CLibcurl
import HTTPTransport

/// Decodes gzip, zlib and raw deflate data.
final class InflateDecoder: StreamDecoder {
    private let stream: UnsafeMutablePointer<paw_zlib_stream>

    /// Window bits for gzip and zlib, detected from the first bytes.
    private static let wrapped: Int32 = 15 + 32
    /// Window bits for deflate without a wrapper, which some servers send as "deflate".
    private static let raw: Int32 = -15

    let magicBytes = 2

    /// Creates a decoder; nil if there is no memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: paw_zlib_stream())
        guard paw_inflate_begin(stream, InflateDecoder.wrapped) == 0 else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func begin(_ magic: [UInt8], isFirst: Bool) -> Bool {
        if isFirst {
            // RFC 1950, section 2.2: the method, and a multiple of 31.
            let isWrapped = magic[0] & 15 == 8 && (UInt16(magic[0]) << 8 | UInt16(magic[1])) % 31 == 0
            if !isWrapped { inflateReset2(stream, InflateDecoder.raw) }
            return true
        }
        // Another gzip member (RFC 1952, section 2.3.1).
        guard magic == [0x1f, 0x8b] else { return false }
        inflateReset2(stream, InflateDecoder.wrapped)
        return true
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(HTTPTransportError) -> (step: DecodingStep, count: Int) {
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        let result = inflate(stream, 0)
        input = UnsafeRawBufferPointer(rebasing: input.suffix(Int(stream.pointee.avail_in)))
        let count = output.count - Int(stream.pointee.avail_out)
        switch Int(result) {
        case PAW_Z_OK: return (input.isEmpty && count < output.count ? .needsInput : .more, count)
        case PAW_Z_STREAM_END: return (.ended, count)
        case PAW_Z_BUF_ERROR: return (.needsInput, count)
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "code \(result)"
            throw HTTPTransportError(.badContentEncoding, detail: reason)
        }
    }
}

/// Decodes brotli data (RFC 7932), which is a single stream, with the library that libcurl depends on.
final class BrotliDecoder: StreamDecoder {
    /// Whether the library is loaded; libcurl must be loaded before.
    static var isAvailable: Bool { paw_has_brotli() != 0 }

    private let state: UnsafeMutableRawPointer

    let magicBytes = 0

    /// Creates a decoder; nil without the library.
    init?() {
        guard let state = paw_brotli_create() else { return nil }
        self.state = state
    }

    deinit { paw_brotli_destroy(state) }

    func begin(_ magic: [UInt8], isFirst: Bool) -> Bool { false }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(HTTPTransportError) -> (step: DecodingStep, count: Int) {
        var (next, left) = (input.baseAddress?.assumingMemoryBound(to: UInt8.self), input.count)
        var (target, space) = (output.baseAddress?.assumingMemoryBound(to: UInt8.self), output.count)
        let result = paw_brotli_decompress(state, &left, &next, &space, &target)
        input = UnsafeRawBufferPointer(rebasing: input.suffix(left))
        let count = output.count - space
        switch Int(result) {
        case PAW_BROTLI_NEEDS_OUTPUT: return (.more, count)
        case PAW_BROTLI_NEEDS_INPUT: return (.needsInput, count)
        case PAW_BROTLI_DONE: return (.ended, count)
        default: throw HTTPTransportError(.badContentEncoding, detail: "the brotli data is malformed")
        }
    }
}

/// Decodes zstd frames (RFC 8878) with the library that libcurl depends on.
final class ZstdDecoder: StreamDecoder {
    /// Whether the library is loaded; libcurl must be loaded before.
    static var isAvailable: Bool { paw_has_zstd() != 0 }

    /// 8 MiB: the largest window that a sender may use (RFC 9659).
    private static let windowLog: Int32 = 23

    private let state: UnsafeMutableRawPointer

    let magicBytes = 4

    /// Creates a decoder; nil without the library.
    init?() {
        guard let state = paw_zstd_create(ZstdDecoder.windowLog) else { return nil }
        self.state = state
    }

    deinit { paw_zstd_destroy(state) }

    /// The magic number of a frame or of a skippable one (RFC 8878, section 3.1).
    func begin(_ magic: [UInt8], isFirst: Bool) -> Bool {
        magic == [0x28, 0xb5, 0x2f, 0xfd] || magic[0] & 0xf0 == 0x50 && magic.dropFirst() == [0x2a, 0x4d, 0x18]
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(HTTPTransportError) -> (step: DecodingStep, count: Int) {
        var from = paw_zstd_buffer(
            bytes: UnsafeMutableRawPointer(mutating: input.baseAddress),
            size: input.count,
            offset: 0
        )
        var to = paw_zstd_buffer(bytes: output.baseAddress, size: output.count, offset: 0)
        let result = paw_zstd_decompress(state, &to, &from)
        if let reason = paw_zstd_error(result) {
            let text = "the zstd data is malformed: \(String(cString: reason))"
            throw HTTPTransportError(.badContentEncoding, detail: text)
        }
        input = UnsafeRawBufferPointer(rebasing: input[from.offset...])
        // A full output may leave decompressed bytes behind.
        let isConsumed = input.isEmpty && to.offset < to.size
        return (result == 0 ? .ended : isConsumed ? .needsInput : .more, to.offset)
    }
}
