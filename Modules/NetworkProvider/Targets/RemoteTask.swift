#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a target sends beside its method, path and query.
public enum RemoteTask: Sendable {
    /// Nothing more.
    case plain
    /// These, behind the target's own parameters.
    case query(QueryParameters)
    /// A value as JSON, by the target's encoder, as `application/json`.
    case json(any Encodable & Sendable)
    /// Pairs as `application/x-www-form-urlencoded`.
    case form(QueryParameters)
    /// Parts as `multipart/form-data`, streamed from where they are.
    case multipart(MultipartForm)
    /// The file at a path, with its media type.
    case uploadFile(path: String, contentType: String = "application/octet-stream")
    /// Pieces made while they are sent, with their media type.
    case uploadStream(HTTPBodyStream, contentType: String = "application/octet-stream")
    /// Bytes as they are, with their media type.
    case raw(Data, contentType: String = "application/octet-stream")
}
