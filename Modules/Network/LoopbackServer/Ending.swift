import Threading

/// The end of a server, which several threads may request.
struct Ending: Sendable {
    private let isRequested = Locked(false)
    private let ended = Semaphore()

    /// Ends the server by `end` the first time; each later call returns when the first one has.
    func run(_ end: () -> Void) {
        let isFirst = isRequested.withLock { isRequested in
            defer { isRequested = true }
            return !isRequested
        }
        // A call that has waited wakes the next one.
        defer { ended.signal() }
        if isFirst { end() } else { ended.wait() }
    }
}
