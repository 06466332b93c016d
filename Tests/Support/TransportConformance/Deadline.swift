import Foundation
import TestSupport
import Threading

/// Runs work with a time limit, after which it returns without waiting for the work to end; time counts as in `eventually`.
func withDeadline(_ limit: Duration, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let waiter = Locked<CheckedContinuation<Void, any Error>?>(nil)
    let finish: @Sendable (Result<Void, any Error>) -> Void = { result in
        let taken = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        taken?.resume(with: result)
    }
    var tasks: [Task<Void, Never>] = []
    defer { for task in tasks { task.cancel() } }
    try await withCheckedThrowingContinuation { continuation in
        waiter.withLock { $0 = continuation }
        tasks.append(
            Task {
                do {
                    try await work()
                    finish(.success(()))
                } catch {
                    finish(.failure(error))
                }
            }
        )
        tasks.append(
            Task {
                // Ends early if it is cancelled, when the work has finished already.
                try? await eventually(within: limit) { Task.isCancelled }
                finish(.failure(ConformanceFailure(description: "hung: not done within \(limit)", isHang: true)))
            }
        )
    }
}
