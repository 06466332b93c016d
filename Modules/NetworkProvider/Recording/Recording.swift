/// Real traffic, kept to be replayed: what was asked, and what was answered, without secrets.
///
/// It is written as JSON that a person can read and change: bodies are text where they are text, line by line where
/// they have several, and Base64 else. Secrets are replaced before anything is kept; see ``RecordingTransport``.
public struct Recording: Sendable, Equatable {
    /// One request with what became of it.
    public struct Exchange: Sendable, Equatable {
        /// What was asked.
        public var request: RecordedRequest
        /// What became of it.
        public var outcome: RecordedOutcome

        /// Creates an exchange.
        public init(request: RecordedRequest, outcome: RecordedOutcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    /// The exchanges in the order in which they were begun.
    public var exchanges: [Exchange]
    /// What was replaced; a replay replaces the same before it compares.
    public var redaction: Redaction

    /// Creates a recording.
    public init(exchanges: [Exchange] = [], redaction: Redaction = Redaction()) {
        self.exchanges = exchanges
        self.redaction = redaction
    }
}
