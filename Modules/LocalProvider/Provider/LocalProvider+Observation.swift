extension LocalProvider {
    /// A value as it is now, and then as it is after each change by this or another process.
    ///
    /// An element that nobody has taken when the next comes is dropped: what is taken is always the latest. The default of
    /// the key stands for no value; without one that is `nil`. Reading is done on threads of the provider's.
    ///
    /// - Parameter key: the value.
    /// - Returns: a stream of its own for each call. It ends by throwing ``LocalError`` where the value cannot be read.
    public func values<Key: LocalStorable>(of key: Key) -> AsyncThrowingStream<Key.Value?, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Key.Value?.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        // The change is listened for first, so that none falls between the first look and the next.
        let wakes = wakes(of: key)
        let task = Task {
            do {
                continuation.yield(try await async.value(of: key) ?? key.defaultValue)
                for await _ in wakes {
                    continuation.yield(try await async.value(of: key) ?? key.defaultValue)
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// An element when a value may have changed; those that nobody has taken yet are one.
    package func wakes(of key: some LocalStorable) -> AsyncStream<Void> {
        let changes = changes(of: key)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            for await _ in changes { continuation.yield() }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
