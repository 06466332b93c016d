/// A value that calls its observers synchronously when it changes.
///
/// An observer receives the current value when it begins, then each value that differs from the one it received last, then
/// the end. An observer may change the value during its call: the other observers then receive the newest value only, never
/// one that is outdated.
@MainActor
final class StateSignal<Value: Equatable & Sendable> {
    private final class Observer {
        var last: Value?
        let receive: @MainActor (Value) -> Void
        let end: (@MainActor () -> Void)?

        init(receive: @escaping @MainActor (Value) -> Void, end: (@MainActor () -> Void)?) {
            self.receive = receive
            self.end = end
        }
    }

    private(set) var value: Value?
    private var isFinished = false
    private var observers: [Observer] = []

    init(_ value: Value? = nil) { self.value = value }

    func send(_ value: Value) {
        self.value = value
        for observer in observers { deliver(to: observer) }
    }

    func finish() {
        isFinished = true
        // The end of one observer may cancel another.
        while let observer = observers.first {
            observers.removeFirst()
            observer.end?()
        }
    }

    func observe(
        _ receive: @escaping @MainActor (Value) -> Void,
        end: (@MainActor () -> Void)? = nil
    ) -> ObservationToken {
        let observer = Observer(receive: receive, end: end)
        let token = ObservationToken { [weak self, weak observer] in
            self?.observers.removeAll { $0 === observer }
        }
        observers.append(observer)
        deliver(to: observer)
        if isFinished {
            observers.removeAll { $0 === observer }
            end?()
        }
        return token
    }

    /// Returns a stream for one consumer: the current value, each change, and the end.
    func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
        let token = observe({ continuation.yield($0) }, end: { continuation.finish() })
        // The handler retains the token: the observation ends with the iteration.
        continuation.onTermination = { _ in Task { @MainActor in token.cancel() } }
        return stream
    }

    private func deliver(to observer: Observer) {
        // Another observer may have cancelled this one in the same round.
        guard let value, observer.last != value, observers.contains(where: { $0 === observer }) else { return }
        observer.last = value
        observer.receive(value)
    }
}

/// Represents an observation, which ends when the token is cancelled or deallocated.
@MainActor
public final class ObservationToken {
    private var onCancel: (@MainActor () -> Void)?

    init(onCancel: @escaping @MainActor () -> Void) {
        self.onCancel = onCancel
    }

    #if canImport(Darwin)
        deinit { onMainThread { cancel() } }
    #else
        isolated deinit { cancel() }
    #endif

    /// Ends the observation; nothing is delivered afterwards. A second call does nothing.
    public func cancel() {
        let cancel = onCancel
        onCancel = nil
        cancel?()
    }

    /// Ends the observation when the interactor resigns, or at once if it is inactive.
    public func cancelOnDeactivate(of interactor: Interactor) { interactor.onDeactivate { self.cancel() } }
}

/// A list of actions that are cancelled together, in the order in which they were added.
@MainActor
final class CancelBag {
    private var cancels: [(id: UInt64, cancel: @MainActor () -> Void)] = []
    private var nextID: UInt64 = 0

    /// The number of actions, for tests that none are left over.
    var count: Int { cancels.count }

    func insert(_ cancel: @escaping @MainActor () -> Void) {
        nextID += 1
        cancels.append((nextID, cancel))
    }

    func cancelAll() {
        let cancelled = cancels
        cancels = []
        for entry in cancelled { entry.cancel() }
    }

    /// Runs a task on the main actor that is removed from the list when it ends.
    func task(_ operation: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        nextID += 1
        let id = nextID
        let task = Task { [weak self] in
            await operation()
            self?.cancels.removeAll { $0.id == id }
        }
        cancels.append((id, { task.cancel() }))
        return task
    }
}
