/// What became of a recorded request.
public enum RecordedOutcome: Sendable, Equatable {
    /// An answer; its body is unpacked, secrets replaced.
    case response(status: Int, headers: HTTPHeaders, body: RecordedBody)
    /// A failure before there was an answer.
    case failure(HTTPTransportError.Code, detail: String)
}
