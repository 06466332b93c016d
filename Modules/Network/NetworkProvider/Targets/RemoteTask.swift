public import EssentialFoundation

/// The body of a target's request.
public enum RemoteTask: Sendable {
    /// No body.
    case plain
    /// A value as JSON, encoded by the target's encoder, as `application/json`.
    case json(any Encodable & Sendable)
    /// Names and values as `application/x-www-form-urlencoded`.
    case form(QueryParameters)
    /// The properties of a value as `application/x-www-form-urlencoded`; see ``QueryParameters/init(encoding:listStyle:)``.
    case encodedForm(any Encodable & Sendable)
    /// Parts as `multipart/form-data`, streamed from memory, files and streams.
    case multipart(MultipartForm)
    /// The file at a path, with its media type.
    case uploadFile(path: String, contentType: String = "application/octet-stream")
    /// Pieces that are made while they are sent, with their media type.
    case uploadStream(HTTPBodyStream, contentType: String = "application/octet-stream")
    /// Bytes, with their media type.
    case raw(Data, contentType: String = "application/octet-stream")
}
