/// The response of a target whose answer's body does not matter.
public struct NoContent: Decodable, Sendable, Equatable {
    /// Nothing.
    public init() {}
}
