/// A value that tells its observers, synchronously, when it changes.
///
/// An observer gets the current value when it begins, then each value that differs from the one it got last, then the
/// end. An observer may change the value from inside its call: the others are then told the newest value only, so that
/// nobody hears of a state after it has passed.
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

    init(_ value: Value? = nil) {
        self.value = value
    }

    func send(_ value: Value) {
        self.value = value
        for observer in observers { deliver(to: observer) }
    }

    func finish() {
        isFinished = true
        let ended = observers
        observers = []
        for observer in ended { observer.end?() }
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

    /// The same as a stream, for one consumer: the current value, each change, and the end.
    func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
        let token = observe({ continuation.yield($0) }, end: { continuation.finish() })
        // The stream's consumer keeps the observation: it ends with the iteration.
        continuation.onTermination = { _ in Task { @MainActor in token.cancel() } }
        return stream
    }

    private func deliver(to observer: Observer) {
        guard let value, observer.last != value, observers.contains(where: { $0 === observer }) else { return }
        observer.last = value
        observer.receive(value)
    }
}
