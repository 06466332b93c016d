import Locking

/// Cancels a task when its owner goes.
final class TaskHolder: Sendable {
    private let task = Locked<Task<Void, Never>?>(nil)

    func hold(_ task: Task<Void, Never>) {
        self.task.withLock { $0 = task }
    }

    deinit {
        task.withLock { $0 }?.cancel()
    }
}
