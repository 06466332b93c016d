/// A value that screens observe: every observer receives the last value at once, then each change.
///
/// Derived cells are computed once for all their observers, and replay their last value as well.
///
///     let id = StateCell("")
///     let isValid = id.map { $0.count >= 6 }
///     isValid.bind { button.isEnabled = $0 }   // false, and later each change
@MainActor
package final class StateCell<Value: Equatable & Sendable> {
    private var observers: [Int: @MainActor (Value) -> Void] = [:]
    private var streams: [Int: AsyncStream<Value>.Continuation] = [:]
    private var next = 0

    /// The value. Setting an equal value notifies no observer.
    package var value: Value {
        didSet {
            guard value != oldValue else { return }
            for (_, observer) in observers.sorted(by: { $0.key < $1.key }) { observer(value) }
            for stream in streams.values { stream.yield(value) }
        }
    }

    /// Creates a cell.
    package init(_ value: Value) {
        self.value = value
    }

    isolated deinit {
        for stream in streams.values { stream.finish() }
    }

    /// Calls a closure with the present value and with each later one, as long as the cell exists.
    ///
    /// - Parameter observer: receives the values, synchronously. It must hold its views weakly.
    /// - Returns: a token for ``unbind(_:)``.
    @discardableResult
    package func bind(_ observer: @escaping @MainActor (Value) -> Void) -> Int {
        next += 1
        observers[next] = observer
        observer(value)
        return next
    }

    /// Ends an observation.
    package func unbind(_ token: Int) {
        observers[token] = nil
    }

    /// The present value and each later one, as a stream for one consumer; any number of consumers may have one.
    package var values: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        next += 1
        let id = next
        streams[id] = continuation
        continuation.yield(value)
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.streams[id] = nil }
        }
        return stream
    }

    /// Returns a cell with the result of a function of this value, computed once for each change.
    package func map<Result>(_ transform: @escaping @MainActor (Value) -> Result) -> StateCell<Result> {
        let result = StateCell<Result>(transform(value))
        bind { result.value = transform($0) }
        return result
    }

    /// Returns a cell with the result of a function of this value and another one.
    package func combined<Other, Result>(
        with other: StateCell<Other>,
        _ transform: @escaping @MainActor (Value, Other) -> Result
    ) -> StateCell<Result> {
        let result = StateCell<Result>(transform(value, other.value))
        bind { [weak other] in
            if let other { result.value = transform($0, other.value) }
        }
        other.bind { [weak self] in
            if let self { result.value = transform(value, $0) }
        }
        return result
    }
}

/// Events without a last value, such as taps: an observer receives those that occur after it was bound.
@MainActor
package final class EventCell<Value: Sendable> {
    private var observers: [@MainActor (Value) -> Void] = []

    /// Creates a cell without observers.
    package init() {}

    /// Calls all observers.
    package func send(_ value: Value) {
        for observer in observers { observer(value) }
    }

    /// Calls a closure with each later event, as long as the cell exists.
    package func bind(_ observer: @escaping @MainActor (Value) -> Void) {
        observers.append(observer)
    }
}
