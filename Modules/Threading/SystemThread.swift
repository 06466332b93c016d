package import SystemCalls

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread of the system that runs one block: for calls that block, which must not block Swift's cooperative threads.
package struct SystemThread: @unchecked Sendable {
    // Sendable: an identifier that is written once; pthread_t is a pointer on some platforms.
    private let handle: pthread_t

    /// Starts a thread. ``join()`` must be called once, or its resources are never released.
    ///
    /// - Parameter body: the block.
    /// - Throws: the error of `pthread_create`.
    package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        handle = try Self.start(body)
    }

    /// Waits until the block has returned.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Starts a thread that ends by itself.
    ///
    /// - Parameter body: the block.
    /// - Throws: the error of `pthread_create`.
    package static func detach(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        pthread_detach(try start(body))
    }

    private static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
        let block = Unmanaged.passRetained(Block(body))
        #if canImport(Darwin)
            var created: pthread_t?
            let code = pthread_create(&created, nil, { SystemThread.run($0) }, block.toOpaque())
            guard code == 0, let handle = created else {
                block.release()
                throw SystemError(code: code, call: "pthread_create")
            }
            return handle
        #else
            var handle = pthread_t()
            let code = pthread_create(&handle, nil, { SystemThread.run($0) }, block.toOpaque())
            guard code == 0 else {
                block.release()
                throw SystemError(code: code, call: "pthread_create")
            }
            return handle
        #endif
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
