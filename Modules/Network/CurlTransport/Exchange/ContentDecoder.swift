import HTTPTransport
import TextEscaping

/// Decodes a compressed body with the codings of its Content-Encoding field, the last of which was applied last.
///
/// libcurl's own decoding does not detect a truncated body.
final class ContentDecoder {
    /// The maximum number of codings of a body. Servers use one.
    static let maximumCodings = 4

    /// The supported codings, for the field Accept-Encoding: brotli and zstd if libcurl depends on their libraries.
    static let supported =
        "gzip, deflate" + (BrotliDecoder.isAvailable ? ", br" : "") + (ZstdDecoder.isAvailable ? ", zstd" : "")

    /// The stages in the order of decoding.
    private let stages: [Decompressor]
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
        var stages: [Decompressor] = []
        for name in names.reversed() {
            guard let stage = ContentDecoder.decompressor(name) else {
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

    private static func decompressor(_ coding: String) -> Decompressor? {
        switch coding {
        case "br": BrotliDecoder().map { Decompressor($0) }
        case "zstd": ZstdDecoder().map { Decompressor($0) }
        case "gzip", "x-gzip": InflateDecoder().map { Decompressor($0) }
        case "deflate": InflateDecoder().map { Decompressor($0, hasForms: true) }
        default: nil
        }
    }

    /// Whether the body is complete; true for an empty body.
    var isComplete: Bool { stages.allSatisfy { $0.isComplete } }

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
    ) throws(HTTPTransportError) { try decode(bytes, from: 0, check, body) }

    private func decode(
        _ bytes: UnsafeRawBufferPointer,
        from index: Int,
        _ check: (Int64) throws(HTTPTransportError) -> Void,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        guard index < stages.count else { return try body(bytes) }
        try stages[index].decompress(bytes) { piece throws(HTTPTransportError) in
            counts[index] += Int64(piece.count)
            try check(counts[index])
            try decode(piece, from: index + 1, check, body)
        }
    }
}
