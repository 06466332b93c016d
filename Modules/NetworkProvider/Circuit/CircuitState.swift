/// What a circuit does with requests.
public enum CircuitState: String, Sendable, Hashable, CaseIterable {
    /// It lets them through.
    case closed
    /// It refuses them without asking the server.
    case open
    /// It lets a few through, to see whether the server is back.
    case halfOpen
}
