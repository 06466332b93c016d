import CLibcurl
import HTTPTransport

/// Decompresses brotli data (RFC 7932) with the library that libcurl depends on.
final class BrotliDecompressor: Decompressor {
    /// Whether the library is loaded; libcurl must be loaded before.
    static var isAvailable: Bool { paw_has_brotli() != 0 }

    private let state: UnsafeMutableRawPointer
    private var hasInput = false
    private var isEnded = false

    /// Creates a decompressor; nil without the library.
    init?() {
        guard let state = paw_brotli_create() else { return nil }
        self.state = state
    }

    deinit { paw_brotli_destroy(state) }

    var isComplete: Bool { isEnded || !hasInput }

    func decompress(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        // What follows the end is padding, as after gzip.
        guard !bytes.isEmpty, !isEnded else { return }
        hasInput = true
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { output.deallocate() }
        var (next, left) = (bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        while true {
            var (target, space) = (output.bindMemory(to: UInt8.self).baseAddress, output.count)
            let result = paw_brotli_decompress(state, &left, &next, &space, &target)
            if space < output.count { try body(UnsafeRawBufferPointer(rebasing: output[..<(output.count - space)])) }
            switch Int(result) {
            case PAW_BROTLI_NEEDS_OUTPUT: continue
            case PAW_BROTLI_NEEDS_INPUT: return
            case PAW_BROTLI_DONE:
                isEnded = true
                return
            default: throw HTTPTransportError(.badContentEncoding, detail: "the brotli data is malformed")
            }
        }
    }
}

/// Decompresses zstd frames (RFC 8878) with the library that libcurl depends on.
final class ZstdDecompressor: Decompressor {
    /// Whether the library is loaded; libcurl must be loaded before.
    static var isAvailable: Bool { paw_has_zstd() != 0 }

    /// 8 MiB: the largest window that a sender may use (RFC 9659).
    private static let windowLog: Int32 = 23

    private let state: UnsafeMutableRawPointer
    private(set) var isComplete = true
    /// The bytes after the end of a frame, until they show whether another one follows; nil within a frame.
    private var undecided: [UInt8]?
    /// Whether the rest is padding.
    private var isPadded = false

    /// Creates a decompressor; nil without the library.
    init?() {
        guard let state = paw_zstd_create(ZstdDecompressor.windowLog) else { return nil }
        self.state = state
    }

    deinit { paw_zstd_destroy(state) }

    func decompress(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        guard !bytes.isEmpty, !isPadded else { return }
        guard var first = undecided else { return try decompressAll(bytes, body) }
        first += bytes
        undecided = first
        guard first.count >= ZstdDecompressor.magicBytes else { return }
        undecided = nil
        isPadded = !ZstdDecompressor.startsFrame(first.prefix(ZstdDecompressor.magicBytes))
        guard !isPadded else { return }
        try first.span.withUnsafeBytes { bytes throws(HTTPTransportError) in try decompressAll(bytes, body) }
    }

    private static let magicBytes = 4

    /// Returns whether bytes are the magic number of a frame or of a skippable one (RFC 8878, section 3.1).
    private static func startsFrame(_ magic: some Collection<UInt8>) -> Bool {
        magic.elementsEqual([0x28, 0xb5, 0x2f, 0xfd])
            || (magic.first ?? 0) & 0xf0 == 0x50 && magic.dropFirst().elementsEqual([0x2a, 0x4d, 0x18])
    }

    private func decompressAll(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { space.deallocate() }
        var input = paw_zstd_buffer(
            bytes: UnsafeMutableRawPointer(mutating: bytes.baseAddress),
            size: bytes.count,
            offset: 0
        )
        var output = paw_zstd_buffer(bytes: space.baseAddress, size: space.count, offset: space.count)
        // A full output may leave decompressed bytes behind.
        while input.offset < input.size || output.offset == output.size {
            output.offset = 0
            let result = paw_zstd_decompress(state, &output, &input)
            if let reason = paw_zstd_error(result) {
                throw HTTPTransportError(
                    .badContentEncoding,
                    detail: "the zstd data is malformed: \(String(cString: reason))"
                )
            }
            // 0 at the end of a frame.
            isComplete = result == 0
            if output.offset > 0 { try body(UnsafeRawBufferPointer(rebasing: space[..<output.offset])) }
            guard isComplete else { continue }
            let rest = bytes[input.offset...]
            guard rest.count >= ZstdDecompressor.magicBytes else { return undecided = Array(rest) }
            // Anything else than another frame is padding, as after gzip.
            isPadded = !ZstdDecompressor.startsFrame(rest.prefix(ZstdDecompressor.magicBytes))
            guard !isPadded else { return }
        }
    }
}
