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

/// A download's bytes so far, beside its place as `PATH.partial`, with a record of which version they are of.
///
/// It stays when the download breaks, or the process does, and is held by one process at a time.
final class PartialFile {
    private let path: String
    private let partial: String
    private let recordPath: String
    private let descriptor: Int32
    /// The bytes that are there.
    private(set) var size: Int64 = 0
    /// Which version they are of; nil when they cannot be added to.
    private(set) var record: DownloadRecord?
    private var isDone = false

    /// Opens or creates the partial file and takes hold of it.
    /// - Throws: the failure `EWOULDBLOCK` where another download of the same file is under way.
    init(_ path: String) throws(AtomicFile.Failure) {
        self.path = path
        partial = path + ".partial"
        recordPath = path + ".partial.json"
        descriptor = try PartialFile.open(partial, for: path)
        let end = lseek(descriptor, 0, SEEK_END)
        guard end > 0, let data = try? Data(contentsOf: URL(filePath: recordPath)),
            let record = try? JSONDecoder().decode(DownloadRecord.self, from: data)
        else { return }
        size = Int64(end)
        self.record = record
    }

    deinit {
        // What nobody can continue is of no use to anybody. Once done, the name may belong to somebody else.
        if record == nil, !isDone {
            unlink(partial)
            unlink(recordPath)
        }
        PartialFile.release(descriptor)
    }

    /// Unlocks and closes: a process that is being started at this moment holds a copy of the descriptor until it runs its
    /// program, and closing alone would leave the lock with it.
    private static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Opens and locks; once more when the one that held it has moved it to its place meanwhile.
    private static func open(_ partial: String, for path: String) throws(AtomicFile.Failure) -> Int32 {
        while true {
            #if canImport(Darwin)
                let descriptor = Darwin.open(partial, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            #elseif canImport(Glibc)
                let descriptor = Glibc.open(partial, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            #else
                let descriptor = Musl.open(partial, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            #endif
            guard descriptor >= 0 else { throw AtomicFile.Failure(path: path, code: errno) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                throw AtomicFile.Failure(path: path, code: code)
            }
            var (held, named) = (stat(), stat())
            if fstat(descriptor, &held) == 0, stat(partial, &named) == 0, held.st_ino == named.st_ino {
                return descriptor
            }
            release(descriptor)
        }
    }

    /// Forgets the bytes and begins with those of another version.
    func restart(_ record: DownloadRecord?) throws(AtomicFile.Failure) {
        // First without a record: bytes must never stand beside the record of another version.
        self.record = nil
        unlink(recordPath)
        size = 0
        guard ftruncate(descriptor, 0) == 0 else { throw failure }
        guard let record, let data = try? JSONEncoder().encode(record) else { return }
        // Whoever holds the partial file is alone here.
        let file = try AtomicFile(recordPath, by: recordPath + ".new")
        try file.write(data)
        try file.commit()
        self.record = record
    }

    /// Adds bytes.
    func write(_ data: Data) throws(AtomicFile.Failure) {
        let code = WholeWrite.all(of: data) { bytes in
            let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(size))
            size += Int64(max(count, 0))
            return count
        }
        if let code { throw AtomicFile.Failure(path: path, code: code) }
    }

    /// Brings the bytes to the disk and the file to its place, over whatever is there.
    func commit() throws(AtomicFile.Failure) {
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw failure }
        unlink(recordPath)
        isDone = true
    }

    private var failure: AtomicFile.Failure { AtomicFile.Failure(path: path, code: errno) }
}

/// What a later process must know of a download that was broken off.
struct DownloadRecord: Codable, Equatable {
    /// The URL without its secrets: a signature that changes each time does no harm, and none is left on the disk.
    var url: String
    /// The strong entity tag, or the date of the last change, of the bytes that are there.
    var validator: String
    /// The length of the whole, where it was told.
    var total: Int64?

    /// The record for an answer whose bytes begin a file; nil where nothing strong enough tells the version, so that a
    /// part of it could never be joined with another one (RFC 9110, sections 8.8.1 and 13.1.5).
    init?(url: String, _ headers: HTTPHeaders) {
        self.url = url
        total =
            headers["Content-Range"].flatMap { ContentRange($0)?.total }
            ?? headers["Content-Length"].flatMap { Int64($0) }
        if headers["Accept-Ranges"]?.lowercased() == "none" { return nil }
        if let tag = headers["ETag"] {
            guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count >= 2 else { return nil }
            validator = tag
            return
        }
        // A date is strong when it was a second old at least: two versions of one second look the same.
        let now = Date()
        guard let text = headers["Last-Modified"], let changed = HTTPDate.date(text, now: now),
            let sent = headers["Date"].flatMap({ HTTPDate.date($0, now: now) }), sent.timeIntervalSince(changed) >= 1
        else { return nil }
        validator = text
    }

    /// Whether a part with these fields belongs to the recorded version, as far as they tell: a server may have passed
    /// over the `If-Range`.
    func matches(_ headers: HTTPHeaders) -> Bool {
        if let total, let told = headers["Content-Range"].flatMap({ ContentRange($0)?.total }), told != total {
            return false
        }
        let field = validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return headers[field].map { $0 == validator } ?? true
    }
}
