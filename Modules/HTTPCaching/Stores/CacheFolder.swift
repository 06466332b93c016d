import Checksums
import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of stored values: their names, the room they take, and which of them leave.
///
/// The bytes are counted as they are written, and looked up anew when another process may have changed much: after each
/// sixteenth of the limit, and before anything is removed to make room.
final class CacheFolder: Sendable {
    private struct State {
        /// The bytes of all files; nil before the first look.
        var total: Int?
        var writtenSinceLook = 0
    }

    private struct Found {
        var path: String
        var size: Int
        var used: Double
    }

    static let suffix = ".entry"
    private static let partialSuffix = ".part"

    let path: String
    let byteLimit: Int
    private let state = Locked(State())

    init(_ path: String, byteLimit: Int) {
        self.path = path
        self.byteLimit = max(0, byteLimit)
    }

    /// The path of a key's file. A key that is no short name is digested.
    func path(of key: String) -> String {
        let isPlain =
            (1...128).contains(key.utf8.count)
            && key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d }
        return path + "/" + (isPlain ? key : "0-" + SHA256.hexadecimal(of: key.utf8)) + CacheFolder.suffix
    }

    /// Creates a file for a value that is not whole yet; the folder as well, where it is not there.
    func makePartial() throws(HTTPCacheStoreError) -> CacheFileHandle {
        let name = path + "/" + String(UInt64.random(in: .min ... .max), radix: 36) + CacheFolder.partialSuffix
        do {
            return try CacheFileHandle.creating(name)
        } catch .file(_, ENOENT) {
            try makeFolder()
            return try CacheFileHandle.creating(name)
        }
    }

    /// Makes the folder, and those above it, for their owner alone.
    private func makeFolder() throws(HTTPCacheStoreError) {
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/" + name
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw .file(path: made, code: errno) }
        }
    }

    /// Brings a whole value to its place, over what is there.
    func place(_ partial: String, at path: String) throws(HTTPCacheStoreError) {
        let old = size(of: path)
        guard rename(partial, path) == 0 else {
            // An empty folder that somebody has put there.
            guard errno == EISDIR, rmdir(path) == 0, rename(partial, path) == 0 else {
                throw .file(path: path, code: errno)
            }
            return
        }
        give(back: old)
    }

    /// Removes a value for good: a loss of power does not bring it back.
    /// - Returns: whether there was one.
    @discardableResult
    func remove(_ path: String) throws(HTTPCacheStoreError) -> Bool {
        let size = size(of: path)
        guard unlink(path) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw .file(path: path, code: errno)
        }
        give(back: size)
        let folder = open(self.path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
        return true
    }

    /// Removes all values and what is left of others.
    func removeAll() throws(HTTPCacheStoreError) {
        for file in look() where unlink(file.path) != 0 && errno != ENOENT {
            throw .file(path: file.path, code: errno)
        }
        state.withLock { $0 = State() }
    }

    /// The bytes of all files, looked up now.
    var byteCount: Int {
        look().reduce(0) { $0 + $1.size }
    }

    // MARK: Room

    /// Takes room for bytes that are about to be written; others leave for them, those used longest ago first.
    func take(_ count: Int) throws(HTTPCacheStoreError) {
        guard count <= byteLimit else { throw .tooLarge(limit: byteLimit) }
        state.withLock { state in
            state.writtenSinceLook += count
            if state.total == nil || state.writtenSinceLook > byteLimit / 16 {
                state.total = look().reduce(0) { $0 + $1.size }
                state.writtenSinceLook = count
            }
            if (state.total ?? 0) + count > byteLimit { state.total = makeRoom(for: count) }
            state.total = (state.total ?? 0) + count
        }
    }

    /// Gives room back that is not taken any more.
    func give(back count: Int) {
        state.withLock { state in state.total = state.total.map { max(0, $0 - count) } }
    }

    /// Removes files until a tenth is free beside what is needed, so that not every write has to.
    /// - Returns: the bytes that are left.
    private func makeRoom(for count: Int) -> Int {
        let files = look()
        var total = files.reduce(0) { $0 + $1.size }
        let goal = max(0, byteLimit - byteLimit / 10 - count)
        for file in files.sorted(by: { $0.used < $1.used }) where total > goal {
            // Another's value on the way is not ours to end.
            guard file.path.hasSuffix(CacheFolder.suffix), unlink(file.path) == 0 else { continue }
            total -= file.size
        }
        return total
    }

    /// All files of this cache, and none of anybody else's; what a process left that died is removed after an hour.
    private func look() -> [Found] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
        let now = Date().timeIntervalSince1970
        var found: [Found] = []
        for name in names where name.hasSuffix(CacheFolder.suffix) || name.hasSuffix(CacheFolder.partialSuffix) {
            let path = path + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            let used = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            if name.hasSuffix(CacheFolder.partialSuffix), used < now - 3_600, unlink(path) == 0 { continue }
            found.append(Found(path: path, size: Int(status.st_size), used: used))
        }
        return found
    }

    private func size(of path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
