/// Observation of changes.
extension LocalProvider {
    /// Returns a new stream of every change in a store from now on, with the process that made it.
    ///
    /// Changes of other processes arrive soon after they are made, on Linux within about a millisecond; the first change
    /// after the folder of the store was created arrives within 50 milliseconds. No folder is created for the stream. The
    /// stream ends at once if the provider has no store of this kind. A listener that does not read loses changes beyond
    /// ``LocalChangeHub/unreadLimit``.
    public func changes(in kind: LocalStoreKind) -> AsyncStream<LocalChange> {
        (try? store(kind))?.changes() ?? AsyncStream { $0.finish() }
    }

    /// Returns a new stream of every change of a value from now on, with the process that made it.
    public func changes(of key: some LocalStorable) -> AsyncStream<LocalChange> {
        let identifier = key.identifier
        return changes(in: key.store).forwarded { change in
            change.identifier.utf8.elementsEqual(identifier.utf8) ? change : nil
        }
    }

    /// Returns a new stream of a value: as it is now, and after each change by this or another process.
    ///
    /// The stream buffers one element, the latest. An element is the default value of the key, or `nil`, if no value is
    /// stored. The provider reads on its own threads.
    ///
    /// - Parameter key: the key of the value.
    /// - Returns: the stream. It throws ``LocalError`` and ends if the value cannot be read.
    public func values<Key: LocalStorable>(of key: Key) -> AsyncThrowingStream<Key.Value?, any Error> {
        values(of: key) { $0 ?? key.defaultValue }
    }

    /// Returns the stream of ``values(of:)`` with a default value instead of `nil`, in place of that of the key.
    public func values<Key: LocalStorable>(
        of key: Key,
        default value: Key.Value
    ) -> AsyncThrowingStream<Key.Value, any Error> { values(of: key) { $0 ?? value } }

    private func values<Key: LocalStorable, Element: Sendable>(
        of key: Key,
        _ element: @escaping @Sendable (Key.Value?) -> Element
    ) -> AsyncThrowingStream<Element, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Element.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        // Observed before the first read, so that no change is missed in between.
        let signals = changeSignals(of: key)
        let task = Task {
            do {
                continuation.yield(element(try await async.value(of: key)))
                for await _ in signals { continuation.yield(element(try await async.value(of: key))) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Returns a new stream with an element when a value may have changed; unread elements are combined into one.
    package func changeSignals(of key: some LocalStorable) -> AsyncStream<Void> {
        changes(of: key).forwarded(bufferingPolicy: .bufferingNewest(1)) { _ in }
    }
}

extension AsyncStream where Element: Sendable {
    /// Returns a stream of the transformed elements without those that are transformed to `nil`; of unread ones, the latest.
    package func forwarded<Other: Sendable>(
        bufferingPolicy: AsyncStream<Other>.Continuation.BufferingPolicy = .bufferingNewest(LocalChangeHub.unreadLimit),
        _ transform: @escaping @Sendable (Element) -> Other?
    ) -> AsyncStream<Other> {
        let (stream, continuation) = AsyncStream<Other>.makeStream(bufferingPolicy: bufferingPolicy)
        let task = Task {
            for await element in self {
                if let other = transform(element) { continuation.yield(other) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
