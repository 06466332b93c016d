public import LocalProvider
public import Observation
import Threading

/// A stored value that views can observe: it changes when this or another process changes it.
///
/// ```swift
/// let theme = ObservedValue("theme", in: .defaults, of: provider, default: "dark")
/// theme.value = "light"
/// ```
///
/// Reading ``value`` does not access the disk. Setting it changes it at once and stores it in the background, in order;
/// ``flush()`` returns when that is done. If storing fails, the value becomes the stored one again, and ``error`` is set.
@MainActor
public final class ObservedValue<Value: Codable & Sendable & Equatable>: Observable {
    /// The key of the value.
    public nonisolated let key: LocalKey<Value>
    /// The provider.
    public nonisolated let provider: LocalProvider

    private let registrar = ObservationRegistrar()
    private var present: Value
    private var failure: LocalError?
    /// The number of writes that have not ended: until then, ``value`` is newer than the stored one.
    private var pendingWrites = 0
    /// Whether a change was reported while a write was pending: it may have been made after that write.
    private var hasMissedChange = false
    /// The number of writes and readings that have begun: the result of a reading counts only if none has begun since.
    private var accesses = 0
    /// The error of the last write.
    private var writeFailure: LocalError?
    private var lastWrite: Task<Void, Never>?
    private let observation = CancellingTask()

    /// Reads the value and observes it until the object is deallocated.
    ///
    /// - Parameters:
    ///   - identifier: the name of the value in its store.
    ///   - kind: the store.
    ///   - provider: the provider.
    ///   - value: the value if none is stored.
    public init(_ identifier: String, in kind: LocalStoreKind, of provider: LocalProvider, default value: Value) {
        key = LocalKey(identifier, in: kind, default: value)
        self.provider = provider
        present = value
        let signals = provider.changeSignals(of: key)
        do { present = try provider.read(key) } catch { failure = error }
        observation.set(
            Task { [weak self] in
                for await _ in signals { await self?.refresh() }
            }
        )
    }

    /// Reads the value of a key and observes it until the object is deallocated.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - provider: the provider.
    ///   - value: the value if none is stored, instead of the default value of the key.
    public convenience init(_ key: some LocalStorable<Value>, of provider: LocalProvider, default value: Value) {
        self.init(key.identifier, in: key.store, of: provider, default: value)
    }

    /// The value; the default value if none is stored.
    public var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            return present
        }
        set {
            show(newValue)
            store(newValue)
        }
    }

    /// The error of the last access to the store, or `nil` if it succeeded.
    public var error: LocalError? {
        registrar.access(self, keyPath: \.error)
        return failure
    }

    /// Returns when every value that was set is stored.
    ///
    /// - Throws: `LocalError` if the last one could not be stored.
    public func flush() async throws(LocalError) {
        while let task = lastWrite {
            await task.value
            if task == lastWrite { lastWrite = nil }
        }
        if let writeFailure { throw writeFailure }
    }

    private func store(_ value: Value) {
        let (previous, provider, key) = (lastWrite, provider, key)
        accesses += 1
        pendingWrites += 1
        lastWrite = Task {
            await previous?.value
            var failure: LocalError?
            do throws(LocalError) { try await provider.async.set(key, to: value) } catch { failure = error }
            pendingWrites -= 1
            writeFailure = failure
            setError(failure)
            if failure != nil || hasMissedChange { await refresh(keepsError: failure != nil) }
        }
    }

    /// Shows the stored value, unless a newer one was set before it is read.
    private func refresh(keepsError: Bool = false) async {
        hasMissedChange = pendingWrites > 0
        guard !hasMissedChange else { return }
        accesses += 1
        let begin = accesses
        do throws(LocalError) {
            let stored = try await provider.async.read(key)
            guard accesses == begin else { return }
            show(stored)
            if !keepsError { setError(nil) }
        } catch {
            if accesses == begin { setError(error) }
        }
    }

    private func show(_ value: Value) {
        guard value != present else { return }
        registrar.withMutation(of: self, keyPath: \.value) { present = value }
    }

    private func setError(_ error: LocalError?) {
        guard error != failure else { return }
        registrar.withMutation(of: self, keyPath: \.error) { failure = error }
    }
}

/// A task that is cancelled when the object is deallocated.
private final class CancellingTask: Sendable {
    private let task = Locked<Task<Void, Never>?>(nil)

    func set(_ task: Task<Void, Never>) { self.task.withLock { $0 = task } }

    deinit { task.withLock { $0 }?.cancel() }
}
