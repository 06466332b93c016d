import Locking
import SystemCalls

/// Runs calls that may block, such as those to the file system, outside Swift's cooperative thread pool.
///
/// The pool has one thread per core. A few calls to a file system that does not respond would occupy all of them and stop
/// every task of the program.
package enum BlockingCalls {
    /// Runs `work` on another thread and returns its result.
    ///
    /// If the task is cancelled, the function throws `CancellationError` at once. The work still runs to its end, since a
    /// blocked call cannot be interrupted, and its result is discarded.
    ///
    /// - Parameter work: the calls.
    /// - Returns: the result of `work`.
    /// - Throws: the error of `work`, `CancellationError`, or ``SystemError`` if no thread can be started.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let outcome = Outcome<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard outcome.wait(with: continuation) else { return }
                do throws(SystemError) {
                    try SystemThread.detach { outcome.finish(Result { try work() }) }
                } catch {
                    outcome.finish(.failure(error))
                }
            }
        } onCancel: {
            outcome.finish(.failure(CancellationError()))
        }
    }

    /// The first of two results: the work's, or the cancellation.
    private final class Outcome<Value: Sendable>: Sendable {
        private enum State {
            case open
            case waiting(CheckedContinuation<Value, any Error>)
            case done(Result<Value, any Error>)
        }

        private let state = Locked(State.open)

        /// Stores the continuation; if the outcome is known, resumes it and returns false.
        func wait(with continuation: CheckedContinuation<Value, any Error>) -> Bool {
            let known = state.withLock { state -> Result<Value, any Error>? in
                if case .done(let result) = state { return result }
                state = .waiting(continuation)
                return nil
            }
            guard let known else { return true }
            continuation.resume(with: known)
            return false
        }

        func finish(_ result: Result<Value, any Error>) {
            let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
                switch state {
                case .done: return nil
                case .open:
                    state = .done(result)
                    return nil
                case .waiting(let continuation):
                    state = .done(result)
                    return continuation
                }
            }
            waiting?.resume(with: result)
        }
    }
}
