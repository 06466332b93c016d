package import EssentialFoundation
package import SystemCalls
package import Threading

/// A file that is written beside its final path and renamed when it is complete.
///
/// Not synchronised: it is used by one task or thread at a time.
package final class AtomicFile: @unchecked Sendable {
    /// A system call on the file failed.
    package struct Failure: Error {
        package let path: String
        package let code: Int32
    }

    private let path: String
    private let partial: String
    private let descriptor: Int32
    private var isDone = false
    private var isClosed = false

    /// Creates the partial file, readable by its owner only.
    /// - Parameters:
    ///   - path: the final path.
    ///   - partial: the path to write to, for one writer at a time, which overwrites what a killed one has left; nil for a
    ///     unique one.
    /// - Throws: the failure of the system, or that of ``checkReplaceable(_:)``.
    package init(_ path: String, by partial: String? = nil) throws(Failure) {
        try AtomicFile.checkReplaceable(path)
        self.path = path
        self.partial = partial ?? path + "." + String(UInt64.random(in: .min ... .max), radix: 36) + ".part"
        do throws(SystemError) {
            descriptor = try POSIX.open(
                self.partial,
                O_WRONLY | O_CREAT | (partial == nil ? O_EXCL : O_TRUNC | O_NOFOLLOW)
            )
        } catch {
            throw Failure(path: path, code: error.code)
        }
    }

    /// Checks that a file may be placed at a path: that there is nothing, a regular file, or a symbolic link, which is
    /// replaced itself.
    /// - Throws: the failure `EISDIR` for a folder, and `EEXIST` for a FIFO, a device or a socket, since the rename would
    ///   remove it.
    static func checkReplaceable(_ path: String) throws(Failure) {
        let status: POSIX.Status
        do throws(SystemError) {
            status = try POSIX.status(of: path, followsLinks: false)
        } catch {
            if error.code == ENOENT { return }
            throw Failure(path: path, code: error.code)
        }
        switch status.kind {
        case .regular, .link: return
        case .folder: throw Failure(path: path, code: EISDIR)
        case .fifo, .other: throw Failure(path: path, code: EEXIST)
        }
    }

    /// Creates the partial file on another thread, since the disk may not respond, and waits for it even if the task is
    /// cancelled.
    package static func create(
        _ path: String,
        by partial: String? = nil,
        on threads: ThreadCache
    ) async throws(Failure) -> AtomicFile {
        do throws(SystemError) {
            return try await BlockingFileCall.run(on: threads) { () throws(SystemError) in
                do throws(Failure) {
                    return try AtomicFile(path, by: partial)
                } catch {
                    throw SystemError(code: error.code, call: "open")
                }
            }
        } catch {
            throw Failure(path: path, code: error.code)
        }
    }

    deinit {
        if !isClosed { AtomicFile.close(descriptor, removing: isDone ? nil : partial) }
    }

    private static func close(_ descriptor: Int32, removing partial: String?) {
        POSIX.close(descriptor)
        if let partial { unlink(partial) }
    }

    /// Closes the file on another thread, and removes it unless it is complete. Without this call, `deinit` does the same on
    /// the current thread.
    package func close(on threads: ThreadCache? = nil) async {
        guard !isClosed else { return }
        isClosed = true
        let (descriptor, removed) = (descriptor, isDone ? nil : partial)
        await BlockingFileCall.finish(on: threads) { AtomicFile.close(descriptor, removing: removed) }
    }

    /// Appends bytes, on another thread, since the disk may not respond.
    package func write(_ data: Data, on threads: ThreadCache? = nil) async throws(Failure) {
        let descriptor = descriptor
        do throws(SystemError) {
            try await BlockingFileCall.run(on: threads) { () throws(SystemError) in
                try data.span.withUnsafeBytes { bytes throws(SystemError) in try POSIX.writeAll(bytes, to: descriptor) }
            }
        } catch {
            throw Failure(path: path, code: error.code)
        }
    }

    /// Does the same as ``write(_:on:)`` on the current thread.
    package func writeBlocking(_ data: Data) throws(Failure) {
        let failure = data.withUnsafeBytes { bytes -> SystemError? in
            do throws(SystemError) {
                try POSIX.writeAll(bytes, to: descriptor)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw Failure(path: path, code: failure.code) }
    }

    /// Synchronizes the file to the disk and renames it to its final path, replacing any file there.
    ///
    /// The disk may take seconds, so that this runs on a separate thread.
    package func commit() async throws(Failure) {
        let (descriptor, partial, path) = (descriptor, partial, path)
        do throws(SystemError) {
            try await BlockingFileCall.run { () throws(SystemError) in
                try POSIX.synchronize(descriptor)
                try POSIX.rename(partial, to: path)
            }
        } catch {
            throw Failure(path: path, code: error.code)
        }
        isDone = true
    }

    /// Does the same as ``commit()`` on the current thread.
    package func commitBlocking() throws(Failure) {
        do throws(SystemError) {
            try POSIX.synchronize(descriptor)
            try POSIX.rename(partial, to: path)
        } catch {
            throw Failure(path: path, code: error.code)
        }
        isDone = true
    }
}

/// Runs calls that wait for the disk off Swift's cooperative threads, where they would delay other tasks.
package enum BlockingFileCall {
    /// Waits until the call has returned, even if the task is cancelled: the file is in use until then.
    package static func run<Value: Sendable>(
        on threads: ThreadCache? = nil,
        _ call: @escaping @Sendable () throws(SystemError) -> Value
    ) async throws(SystemError) -> Value {
        switch await Task.detached(operation: { try await BlockingCalls.run(on: threads) { try call() } }).result {
        case .success(let value): return value
        case .failure(let error): throw error as? SystemError ?? SystemError(code: ECANCELED, call: "run")
        }
    }

    /// Runs a call that must not be omitted: on the current thread if no other one can be started.
    package static func finish(on threads: ThreadCache? = nil, _ call: @escaping @Sendable () -> Void) async {
        do throws(SystemError) {
            try await run(on: threads) { () throws(SystemError) in call() }
        } catch {
            call()
        }
    }
}
