import HTTPTransport

/// Decompresses the streams of one coding as they arrive, and detects a truncated one. What follows them is padding.
final class Decompressor {
    private let decoder: any StreamDecoder
    /// The first bytes after the end of a stream, until they show whether another one follows, or those of the body, until
    /// they show how it begins; nil within a stream.
    private var undecided: [UInt8]?
    private var hasInput = false
    private var isEnded = false
    /// Whether the rest is padding.
    private var isPadded = false

    /// Creates a decompressor of streams, of which the first one may have several forms.
    init(_ decoder: any StreamDecoder, hasForms: Bool = false) {
        self.decoder = decoder
        undecided = hasForms ? [] : nil
    }

    /// Whether every stream that has begun has ended; true without any input.
    var isComplete: Bool { isEnded || !hasInput }

    /// Decompresses bytes and passes the result on, at most 64 KiB at a time.
    /// - Throws: `HTTPTransportError/Code/badContentEncoding` for malformed data, and the error of `body`.
    func decompress(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        guard !bytes.isEmpty, !isPadded else { return }
        hasInput = true
        guard var first = undecided else { return try decompressAll(bytes, body) }
        first += bytes
        undecided = first
        guard first.count >= decoder.magicBytes else { return }
        undecided = nil
        guard begins(first[...]) else { return }
        try first.span.withUnsafeBytes { bytes throws(HTTPTransportError) in try decompressAll(bytes, body) }
    }

    /// Returns whether a stream begins with these bytes; otherwise they and all that follow are padding.
    private func begins(_ bytes: some Sequence<UInt8>) -> Bool {
        isPadded = !decoder.begin(Array(bytes.prefix(decoder.magicBytes)), isFirst: !isEnded)
        if !isPadded { isEnded = false }
        return !isPadded
    }

    private func decompressAll(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { output.deallocate() }
        var rest = bytes
        while true {
            let (step, count) = try decoder.decode(&rest, into: output)
            if count > 0 { try body(UnsafeRawBufferPointer(rebasing: output[..<count])) }
            switch step {
            case .more: continue
            case .needsInput: return
            case .ended:
                isEnded = true
                guard rest.count >= decoder.magicBytes else { return undecided = Array(rest) }
                guard begins(rest) else { return }
            }
        }
    }
}

/// The state of a stream after a part has been decoded.
enum DecodingStep {
    /// The output was too short for the rest.
    case more
    /// All input has been decoded, and the stream has not ended.
    case needsInput
    /// The stream has ended; the rest of the input belongs to what follows it.
    case ended
}

/// Decodes streams of one coding, one after the other.
protocol StreamDecoder: AnyObject {
    /// The number of bytes that show how a stream begins.
    var magicBytes: Int { get }

    /// Prepares for the stream that begins with these bytes; false if none does.
    func begin(_ magic: [UInt8], isFirst: Bool) -> Bool

    /// Decodes what fits into the output, and removes it from the input.
    /// - Returns: the state of the stream, and the number of bytes in the output.
    /// - Throws: `HTTPTransportError/Code/badContentEncoding` for malformed data.
    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(HTTPTransportError) -> (step: DecodingStep, count: Int)
}
