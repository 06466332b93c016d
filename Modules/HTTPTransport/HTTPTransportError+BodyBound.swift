#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPTransportError {
    /// Which bound a body grew over.
    public enum BodyBound: String, Sendable, Hashable, CaseIterable {
        /// What its reader takes, as ``HTTPResponseBody/collect(upTo:)`` was told.
        case reader
        /// ``HTTPLimits/bodyBytes``.
        case bodyBytes
        /// ``HTTPLimits/decompressedBytes``.
        case decompressedBytes
        /// ``HTTPLimits/decompressionRatio``.
        case decompressionRatio
    }

    /// A body grew over a reader's limit.
    public static func bodyTooLarge(limit: Int, url: URL? = nil) -> HTTPTransportError {
        bodyTooLarge(.reader, limit: Int64(limit), url: url)
    }

    /// A body grew over one of its bounds; says which, and what to do where the body is to be had all the same.
    public static func bodyTooLarge(_ bound: BodyBound, limit: Int64, url: URL? = nil) -> HTTPTransportError {
        let detail =
            switch bound {
            case .reader:
                "the body is longer than \(limit) bytes; raise the limit, stream it or download it to a file"
            case .bodyBytes:
                "more than \(limit) bytes come over the wire; raise HTTPLimits.bodyBytes"
            case .decompressedBytes:
                "the packed body unfolds to more than \(limit) bytes; raise HTTPLimits.decompressedBytes"
            case .decompressionRatio:
                "the packed body unfolds to more than \(limit) times its size, as a bomb does; where it is none, "
                    + "raise HTTPLimits.decompressionRatio"
            }
        var error = HTTPTransportError(.bodyTooLarge, url: url, detail: detail)
        error.bound = bound
        return error
    }
}
