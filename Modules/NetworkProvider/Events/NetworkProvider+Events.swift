extension NetworkProvider {
    /// The target's server-sent events, over as many connections as it takes.
    ///
    /// ```swift
    /// for try await event in provider.events(Barks()) { list.append(event.data) }
    /// ```
    ///
    /// Nothing is sent before the first event is asked for. While nobody reads, the server is held back. Let the
    /// target's idle timeout be longer than the server's silence between two events or comments.
    /// - Parameters:
    ///   - target: what is asked for; its validation does not count here.
    ///   - policy: how the stream is kept up.
    /// - Returns: the events; every iterator of it connects for itself.
    public func events<Target: RemoteTargetType>(
        _ target: Target,
        policy: EventPolicy = EventPolicy()
    ) -> ServerSentEvents {
        ServerSentEvents(policy: policy) { lastID throws(NetworkError) in
            try await perform(EventTarget(target: target, lastID: lastID), events: nil) { $0 }
        }
    }
}
