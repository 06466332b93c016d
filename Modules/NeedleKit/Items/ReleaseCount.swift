internal import Synchronization

/// Counts items that are released while an engine knows them; the engine looks at it before each layout.
final class ReleaseCount: Sendable {
    private let count = Atomic<Int>(0)

    func increment() {
        count.add(1, ordering: .relaxed)
    }

    /// How many there were since the last call.
    func take() -> Int {
        count.exchange(0, ordering: .relaxed)
    }
}
