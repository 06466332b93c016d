package import SystemCalls

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
    /// - Parameters:
    ///   - threads: threads that are used again; nil for a new thread, which suits rare calls.
    ///   - work: the calls.
    /// - Returns: the result of `work`.
    /// - Throws: the error of `work`, `CancellationError`, or ``SystemError`` if no thread can be started.
    package static func run<Value: Sendable>(
        on threads: ThreadCache? = nil,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard outcome.wait(with: continuation) else { return }
                do throws(SystemError) {
                    let finish: @Sendable () -> Void = { outcome.finish(Result { try work() }) }
                    if let threads { try threads.run(finish) } else { try SystemThread.detach(finish) }
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

/// A thread of the system that runs one block: for calls that block, which must not block Swift's cooperative threads.
package struct SystemThread: @unchecked Sendable {
    // Sendable: an identifier that is written once; pthread_t is a pointer on some platforms.
    private let handle: pthread_t

    /// Starts a thread. ``join()`` must be called once, or its resources are never released.
    ///
    /// - Parameter body: the block.
    /// - Throws: the error of `pthread_create`.
    package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) { handle = try Self.start(body) }

    /// Waits until the block has returned.
    package func join() { pthread_join(handle, nil) }

    /// Starts a thread that ends by itself.
    ///
    /// - Parameter body: the block.
    /// - Throws: the error of `pthread_create`.
    package static func detach(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        pthread_detach(try start(body))
    }

    /// The stack of a thread is 512 KB on Apple platforms and less with some C libraries: too little for a debug build that
    /// decodes nested values.
    private static let minimumStackSize = 2 << 20

    private static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
        let block = Unmanaged.passRetained(Block(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        var stackSize = 0
        pthread_attr_getstacksize(&attributes, &stackSize)
        if stackSize < minimumStackSize { pthread_attr_setstacksize(&attributes, minimumStackSize) }
        #if canImport(Darwin)
            var created: pthread_t?
        #else
            var created = pthread_t()
        #endif
        let code = pthread_create(&created, &attributes, { SystemThread.run($0) }, block.toOpaque())
        let handle: pthread_t? = created
        guard code == 0, let handle else {
            block.release()
            throw SystemError(code: code, call: "pthread_create")
        }
        return handle
    }

    private static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let pointer { Unmanaged<Block>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
    }

    private final class Block: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
