import Checksums
import EssentialFoundation
import NetworkProvider
import SystemCalls
import Threading

/// A folder of stored values: their file names, their total size, and the eviction.
///
/// The total is counted while values are written. The folder is scanned again after each sixteenth of the limit, since other
/// processes may have changed it, and before an eviction. Scans and removals run on a separate thread.
final class CacheFolder: Sendable {
    private struct Usage {
        /// The bytes of all files; nil before the first scan.
        var total: Int?
        var writtenSinceScan = 0
    }

    private struct StoredFile {
        var path: String
        var size: Int
        /// In nanoseconds since 1970.
        var used: Int64
    }

    static let suffix = ".entry"
    private static let partialSuffix = ".part"
    private static let partialLifetime: Int64 = 3_600 * 1_000_000_000

    let path: String
    let byteLimit: Int
    private let state = Locked(Usage())
    private let scans = KeyedLock()
    private let threads = ThreadCache()

    init(_ path: String, byteLimit: Int) {
        self.path = path
        self.byteLimit = max(0, byteLimit)
    }

    /// Runs calls on the folder's files outside the cooperative threads, since the disk may not respond, and waits until they
    /// have returned, even if the task is cancelled.
    func blocking<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await Task.detached { [threads] in try await BlockingCalls.run(on: threads, call) }.value
    }

    /// Returns the path of a key's file. A key that is not a short name is replaced by its digest.
    func path(of key: String) -> String {
        let isPlain =
            (1...128).contains(key.utf8.count)
            && key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d }
        return path + "/" + (isPlain ? key : "0-" + SHA256.hexadecimal(of: key.utf8)) + CacheFolder.suffix
    }

    /// Creates a file for an incomplete value, and the folder if it does not exist.
    func makePartial() throws(HTTPCacheStoreError) -> CacheFileHandle {
        let name = path + "/" + String(UInt64.random(in: .min ... .max), radix: 36) + CacheFolder.partialSuffix
        do {
            return try CacheFileHandle.creating(name)
        } catch .file(_, ENOENT) {
            do throws(POSIX.FolderError) {
                try POSIX.makeFolders(path)
            } catch {
                throw .file(path: error.path, code: error.code)
            }
            return try CacheFileHandle.creating(name)
        }
    }

    /// Moves a complete value to its path, replacing an older one.
    func install(_ partial: String, at path: String) throws(HTTPCacheStoreError) {
        let old = size(of: path)
        do throws(SystemError) {
            do throws(SystemError) {
                try POSIX.rename(partial, to: path)
            } catch {
                // An empty folder of the same name can be removed.
                guard error.code == EISDIR, rmdir(path) == 0 else { throw error }
                return try POSIX.rename(partial, to: path)
            }
        } catch {
            throw .file(path: path, code: error.code)
        }
        release(old)
    }

    /// Removes a value durably: it does not reappear after a loss of power.
    func remove(_ path: String) async throws(HTTPCacheStoreError) {
        let (size, folder) = (size(of: path), self.path)
        do throws(SystemError) {
            try await BlockingFileCall.run { () throws(SystemError) in
                guard unlink(path) == 0 else { throw SystemError(call: "unlink") }
                guard let descriptor = try? POSIX.open(folder, O_RDONLY | O_DIRECTORY) else { return }
                defer { POSIX.close(descriptor) }
                try? POSIX.synchronizeFolder(descriptor)
            }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return }
            throw .file(path: path, code: error.code)
        }
        release(size)
    }

    /// Removes all values and partial files.
    func removeAll() async throws(HTTPCacheStoreError) {
        let failure = await onThread { () -> HTTPCacheStoreError? in
            for file in self.scan() where unlink(file.path) != 0 && errno != ENOENT {
                return .file(path: file.path, code: errno)
            }
            return nil
        }
        if let failure { throw failure }
        state.withLock { $0 = Usage() }
    }

    /// The bytes of all files, by a scan on the current thread.
    var byteCount: Int { scan().reduce(0) { $0 + $1.size } }

    // MARK: Space

    /// Reserves space for bytes that are about to be written; the values that were used longest ago are evicted for them.
    /// - Throws: ``HTTPCacheStoreError``, or `CancellationError` if the task is cancelled while another one scans.
    func reserve(_ count: Int) async throws {
        guard count <= byteLimit else { throw HTTPCacheStoreError.tooLarge(limit: byteLimit) }
        if reserveWithoutScan(count) { return }
        try await scans.lock("")
        defer { scans.unlock("") }
        // Another caller may have scanned while this one waited.
        if reserveWithoutScan(count) { return }
        // Until the scan has ended, every other caller waits for it.
        state.withLock { $0 = Usage() }
        let total = await onThread {
            let files = self.scan()
            let total = files.reduce(0) { $0 + $1.size }
            return total + count > self.byteLimit ? self.evict(files, total, for: count) : total
        }
        state.withLock { $0 = Usage(total: total + count, writtenSinceScan: count) }
    }

    private func reserveWithoutScan(_ count: Int) -> Bool {
        state.withLock { state in
            guard let total = state.total, state.writtenSinceScan + count <= byteLimit / 16, total + count <= byteLimit
            else { return false }
            state.total = total + count
            state.writtenSinceScan += count
            return true
        }
    }

    /// Releases space that was reserved or used.
    func release(_ count: Int) {
        state.withLock { state in state.total = state.total.map { max(0, $0 - count) } }
    }

    /// Removes files until a tenth of the limit is free besides the required bytes, so that not every write evicts.
    /// - Returns: the bytes that remain.
    private func evict(_ files: [StoredFile], _ total: Int, for count: Int) -> Int {
        var total = total
        let goal = max(0, byteLimit - byteLimit / 10 - count)
        for file in files.sorted(by: { $0.used < $1.used }) where total > goal {
            // A value that another process is writing is not evicted.
            guard file.path.hasSuffix(CacheFolder.suffix), unlink(file.path) == 0 else { continue }
            total -= file.size
        }
        return total
    }

    /// Returns the files of this cache; removes partial files that a process left when it ended more than an hour ago.
    private func scan() -> [StoredFile] {
        guard let names = try? POSIX.list(path) else { return [] }
        let now = Int64(Date().timeIntervalSince1970 * 1e9)
        var files: [StoredFile] = []
        for name in names where name.hasSuffix(CacheFolder.suffix) || name.hasSuffix(CacheFolder.partialSuffix) {
            let path = path + "/" + name
            guard let status = try? POSIX.status(of: path, followsLinks: false), status.kind != .folder else {
                continue
            }
            if name.hasSuffix(CacheFolder.partialSuffix), status.modified < now - CacheFolder.partialLifetime,
                unlink(path) == 0
            {
                continue
            }
            files.append(StoredFile(path: path, size: status.size, used: status.modified))
        }
        return files
    }

    private func size(of path: String) -> Int { (try? POSIX.status(of: path, followsLinks: false))?.size ?? 0 }

    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        do throws(SystemError) {
            return try await BlockingFileCall.run { () throws(SystemError) in work() }
        } catch {
            return work()
        }
    }
}
