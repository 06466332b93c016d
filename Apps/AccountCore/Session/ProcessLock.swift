import EssentialFoundation
import LocalProvider
import SystemCalls

/// A lock between the tasks of all processes: `flock` on a file. The system releases it when the holder dies.
struct ProcessLock: Sendable {
    private static let pause = Duration.milliseconds(20)

    let path: String

    /// Runs `body` while the lock is held. Waits without blocking a thread; cancellation ends the wait.
    ///
    /// - Throws: the error of `body`, ``AccountError/storage(_:)``, and ``AccountError/cancelled``.
    func withLock<Value>(_ body: () async throws -> Value) async throws -> Value {
        let descriptor = try open()
        defer { POSIX.close(descriptor) }
        while try !tryLock(descriptor) { try await Task.sleep(for: Self.pause) }
        defer { POSIX.unlock(descriptor) }
        return try await body()
    }

    private func open() throws(AccountError) -> Int32 {
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        if !folder.isEmpty {
            try? FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        do throws(SystemError) {
            return try POSIX.open(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        } catch {
            throw .storage(LocalError(error, path: path))
        }
    }

    private func tryLock(_ descriptor: Int32) throws(AccountError) -> Bool {
        do throws(SystemError) {
            return try POSIX.tryLock(descriptor)
        } catch {
            throw .storage(LocalError(error, path: path))
        }
    }
}
