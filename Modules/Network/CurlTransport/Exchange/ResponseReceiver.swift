import HTTPTransport

/// Checks and decodes the parts of a response as libcurl delivers them.
struct ResponseReceiver {
    private let limits: HTTPLimits
    private let decompresses: Bool
    private let isHead: Bool
    /// Whether the request has a body, whose sending may outlast the response.
    private let hasUpload: Bool
    private var head = HeadReader()
    private var decoder: ContentDecoder?
    /// The error of a coding that is not supported, thrown as soon as the body is not empty.
    private var codingError: HTTPTransportError?
    /// The size of the body after decompression; nil if unknown.
    private(set) var expectedLength: Int64?
    /// The number of body bytes received, after decompression.
    private(set) var received: Int64 = 0
    /// The number of body bytes received, before decompression.
    private var receivedEncoded: Int64 = 0
    /// The number of those that the head of the response to an upload declares; nil if unknown.
    private var declaredEncoded: Int64?

    init(_ request: HTTPRequest) {
        limits = request.limits
        decompresses = request.decompresses
        isHead = request.method == .head
        hasUpload = if case .none = request.body { false } else { true }
    }

    /// Whether the head is complete.
    var hasHead: Bool { head.isDone }

    /// Whether the response to an upload is known to have arrived as a whole, so that the rest of the upload may be left
    /// out.
    var mayAbandonUpload: Bool { declaredEncoded == receivedEncoded }

    /// Whether any part of the response has arrived.
    var hasBegun: Bool { head.hasBegun }

    /// Whether a compressed body is complete; true without compression.
    var isComplete: Bool { decoder?.isComplete ?? true }

    /// Releases the memory for decompression.
    mutating func release() { decoder = nil }

    /// Receives a line of the head.
    /// - Parameters:
    ///   - line: the line with its terminator.
    ///   - declaredLength: the Content-Length as libcurl parsed it, or a negative number; called once.
    /// - Returns: the status and the fields if the line completes the head.
    /// - Throws: an error for an invalid line, or a head or declared body that exceeds a limit.
    mutating func receiveLine(
        _ line: UnsafeRawBufferPointer,
        declaredLength: () -> Int64
    ) throws(HTTPTransportError) -> (status: Int, headers: HTTPHeaders)? {
        guard try head.add(line, limits) == .done else { return nil }
        let headers = head.take()
        if decompresses, headers.contains(.contentEncoding) {
            do throws(HTTPTransportError) {
                decoder = try ContentDecoder(codings: headers.list(.contentEncoding))
            } catch {
                codingError = error
            }
        }
        let isEncoded = decoder != nil || codingError != nil
        if !isEncoded || limits.bodyBytes != nil || hasUpload, !isHead {
            let length = declaredLength()
            if let limit = limits.bodyBytes, length > limit { throw .bodyTooLarge(.bodyBytes, limit: limit) }
            if !isEncoded, length >= 0 { expectedLength = length }
            if hasUpload {
                let hasNoBody = head.status == 204 || head.status == 304
                let isDeclared = length >= 0 && !headers.contains("transfer-encoding")
                declaredEncoded = hasNoBody ? 0 : isDeclared ? length : nil
            }
        }
        return (head.status, headers)
    }

    /// Receives bytes of the body.
    /// - Parameters:
    ///   - bytes: the bytes as they were sent.
    ///   - body: called with decompressed bytes.
    /// - Throws: an error for a body that exceeds a limit or cannot be decompressed, and the errors of `body`.
    mutating func receiveBody(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        receivedEncoded += Int64(bytes.count)
        if let limit = limits.bodyBytes, receivedEncoded > limit { throw .bodyTooLarge(.bodyBytes, limit: limit) }
        if let codingError, !bytes.isEmpty { throw codingError }
        guard let decoder else {
            received += Int64(bytes.count)
            return try body(bytes)
        }
        let (limits, encoded) = (limits, receivedEncoded)
        var decoded: Int64 = 0
        defer { received += decoded }
        try decoder.decode(
            bytes,
            check: { expanded throws(HTTPTransportError) in
                try ResponseReceiver.check(expanded, encoded: encoded, limits)
            },
            { piece throws(HTTPTransportError) in
                decoded += Int64(piece.count)
                try body(piece)
            }
        )
    }

    /// Rejects a decompression bomb: too many bytes, or too many compared with the bytes received.
    private static func check(_ expanded: Int64, encoded: Int64, _ limits: HTTPLimits) throws(HTTPTransportError) {
        guard expanded <= limits.decompressedBytes else {
            throw .bodyTooLarge(.decompressedBytes, limit: Int64(limits.decompressedBytes))
        }
        guard expanded <= 4 << 20 || expanded / Int64(limits.decompressionRatio) <= encoded else {
            throw .bodyTooLarge(.decompressionRatio, limit: Int64(limits.decompressionRatio))
        }
    }
}
