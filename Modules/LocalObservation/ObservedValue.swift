public import LocalProvider
public import Observation

/// A kept value that views can follow: it changes when this or another process changes it.
///
/// ```swift
/// let theme = ObservedValue("theme", in: .defaults, of: provider, default: "dark")
/// theme.value = "light"
/// ```
///
/// Reading ``value`` touches no disk. Setting it changes it at once and keeps it in the background, in order;
/// ``flush()`` returns when that is done. Where keeping fails the value is what is kept again, and ``error`` says why.
@MainActor
public final class ObservedValue<Value: Codable & Sendable & Equatable>: Observable {
    /// The key of the value.
    public nonisolated let key: LocalKey<Value>
    /// What keeps the value.
    public nonisolated let provider: LocalProvider

    private let initial: Value
    private let registrar = ObservationRegistrar()
    private var present: Value
    private var failure: LocalError?
    /// The writes that have been begun and not ended; meanwhile what the store has is older than ``value``.
    private var unwritten = 0
    private var writing: Task<Void, Never>?
    private let following = TaskHolder()

    /// Reads the value and begins to follow it, until nobody holds this any more.
    ///
    /// - Parameters:
    ///   - identifier: the name under which it is kept.
    ///   - kind: the store that keeps it.
    ///   - provider: the provider.
    ///   - value: what it is while nothing is kept.
    public init(_ identifier: String, in kind: LocalStoreKind, of provider: LocalProvider, default value: Value) {
        key = LocalKey(identifier, in: kind, default: value)
        self.provider = provider
        initial = value
        present = value
        let wakes = provider.wakes(of: key)
        do { present = try provider.read(key) } catch { failure = error }
        following.hold(
            Task { [weak self] in
                for await _ in wakes { await self?.refresh() }
            }
        )
    }

    /// The value; the default while nothing is kept.
    public var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            return present
        }
        set {
            show(newValue)
            keep(newValue)
        }
    }

    /// Why the value could last not be read or kept; `nil` where all is well.
    public var error: LocalError? {
        registrar.access(self, keyPath: \.error)
        return failure
    }

    /// Returns when everything that was set is kept.
    ///
    /// - Throws: `LocalError` where the last of it could not be.
    public func flush() async throws(LocalError) {
        while let task = writing {
            await task.value
            if task == writing { writing = nil }
        }
        if let failure { throw failure }
    }

    private func keep(_ value: Value) {
        let (previous, provider, key) = (writing, provider, key)
        unwritten += 1
        writing = Task {
            await previous?.value
            var failure: LocalError?
            do throws(LocalError) { try await provider.async.set(key, to: value) } catch { failure = error }
            unwritten -= 1
            tell(failure)
            if failure != nil { await refresh(keepingError: true) }
        }
    }

    /// Shows what the store has, unless something newer is on its way to it.
    private func refresh(keepingError: Bool = false) async {
        guard unwritten == 0 else { return }
        do throws(LocalError) {
            let stored = try await provider.async.read(key)
            guard unwritten == 0 else { return }
            show(stored)
            if !keepingError { tell(nil) }
        } catch {
            tell(error)
        }
    }

    private func show(_ value: Value) {
        guard value != present else { return }
        registrar.withMutation(of: self, keyPath: \.value) { present = value }
    }

    private func tell(_ error: LocalError?) {
        guard error != failure else { return }
        registrar.withMutation(of: self, keyPath: \.error) { failure = error }
    }
}
