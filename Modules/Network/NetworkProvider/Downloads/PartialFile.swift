import EssentialFoundation
import SystemCalls
import Threading

/// The bytes of an incomplete download, beside its final path as `PATH.partial`, with a record of their version.
///
/// The file remains when the download or the process ends, and is locked by one process at a time. Not synchronised: it is
/// used by one task at a time. Its calls run on another thread, since the disk may not respond; ``init(_:calls:)`` blocks.
final class PartialFile: @unchecked Sendable {
    /// The system calls on the bytes; a test replaces them.
    struct Calls: Sendable {
        var write: @Sendable (Data, Int32, Int) throws(SystemError) -> Void = {
            data,
            descriptor,
            offset throws(SystemError) in
            try data.span.withUnsafeBytes { bytes throws(SystemError) in
                try POSIX.writeAll(bytes, to: descriptor, at: offset)
            }
        }
        var synchronize: @Sendable (Int32) throws(SystemError) -> Void = { descriptor throws(SystemError) in
            try POSIX.synchronize(descriptor)
        }
        var rename: @Sendable (String, String) throws(SystemError) -> Void = { path, newPath throws(SystemError) in
            try POSIX.rename(path, to: newPath)
        }
    }

    private let path: String
    private let partial: String
    private let recordPath: String
    private let descriptor: Int32
    private let calls: Calls
    private let threads = ThreadCache()
    /// The number of bytes in the file.
    private(set) var size: Int64 = 0
    /// The version of the bytes; nil if no bytes can be appended to them.
    private(set) var record: DownloadRecord?
    private var isDone = false
    private var isClosed = false

    /// Opens or creates the partial file and locks it.
    /// - Throws: the failure `EWOULDBLOCK` if another download of the same file is under way, or that of
    ///   ``AtomicFile/checkReplaceable(_:)``.
    init(_ path: String, calls: Calls = Calls()) throws(AtomicFile.Failure) {
        try AtomicFile.checkReplaceable(path)
        self.path = path
        self.calls = calls
        partial = path + ".partial"
        recordPath = path + ".partial.json"
        descriptor = try PartialFile.open(partial, for: path)
        let end = lseek(descriptor, 0, SEEK_END)
        guard end > 0, let data = try? Data(contentsOf: URL(filePath: recordPath)),
            let record = try? JSONDecoder().decode(DownloadRecord.self, from: data),
            HTTPSyntax.isFieldValue(record.validator)
        else { return }
        size = Int64(end)
        self.record = record
    }

    deinit {
        if !isClosed { PartialFile.close(descriptor, removing: removedPaths) }
    }

    /// The files that do not remain: bytes of an unknown version cannot be continued. After the rename the name may belong to
    /// another download.
    private var removedPaths: [String] { record == nil && !isDone ? [partial, recordPath] : [] }

    private static func close(_ descriptor: Int32, removing paths: [String]) {
        for path in paths { unlink(path) }
        release(descriptor)
    }

    /// Closes and unlocks the file on another thread, and removes bytes that cannot be continued. Without this call, `deinit`
    /// does the same on the current thread.
    func close() async {
        guard !isClosed else { return }
        isClosed = true
        let (descriptor, paths) = (descriptor, removedPaths)
        await BlockingFileCall.finish(on: threads) { PartialFile.close(descriptor, removing: paths) }
    }

    /// Unlocks and closes: a process that is being started has a copy of the descriptor until it runs its program, and
    /// closing alone would leave the lock with it.
    private static func release(_ descriptor: Int32) {
        POSIX.unlock(descriptor)
        POSIX.close(descriptor)
    }

    /// Opens and locks the file; again if the holder of the lock has renamed it.
    private static func open(_ partial: String, for path: String) throws(AtomicFile.Failure) -> Int32 {
        while true {
            do throws(SystemError) {
                let descriptor = try POSIX.open(partial, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
                do throws(SystemError) {
                    guard try POSIX.tryLock(descriptor) else { throw SystemError(code: EWOULDBLOCK, call: "flock") }
                    let (held, named) = (try POSIX.status(descriptor), try? POSIX.status(of: partial))
                    if held.inode == named?.inode, held.device == named?.device { return descriptor }
                } catch {
                    POSIX.close(descriptor)
                    throw error
                }
                release(descriptor)
            } catch {
                throw AtomicFile.Failure(path: path, code: error.code)
            }
        }
    }

    /// Removes the bytes and begins with those of another version.
    func restart(_ record: DownloadRecord?) async throws(AtomicFile.Failure) {
        // The record first: bytes must never lie beside the record of another version.
        self.record = nil
        size = 0
        let (descriptor, recordPath) = (descriptor, recordPath)
        do throws(SystemError) {
            try await BlockingFileCall.run(on: threads) { () throws(SystemError) in
                unlink(recordPath)
                try POSIX.truncate(descriptor, to: 0)
            }
        } catch {
            throw AtomicFile.Failure(path: path, code: error.code)
        }
        guard let record, let data = try? JSONEncoder().encode(record) else { return }
        // The lock of the partial file covers this name.
        let file = try await AtomicFile.create(recordPath, by: recordPath + ".new", on: threads)
        do throws(AtomicFile.Failure) {
            try await file.write(data, on: threads)
            try await file.commit()
        } catch {
            await file.close(on: threads)
            throw error
        }
        await file.close(on: threads)
        self.record = record
    }

    /// Appends bytes. After a failure, no more can be appended: a part of the bytes may be in the file.
    func write(_ data: Data) async throws(AtomicFile.Failure) {
        let (descriptor, offset, calls) = (descriptor, Int(size), calls)
        do throws(SystemError) {
            try await BlockingFileCall.run(on: threads) { () throws(SystemError) in
                try calls.write(data, descriptor, offset)
            }
        } catch {
            throw AtomicFile.Failure(path: path, code: error.code)
        }
        size += Int64(data.count)
    }

    /// Synchronizes the bytes to the disk and renames the file to its final path, replacing any file there.
    func commit() async throws(AtomicFile.Failure) {
        let (descriptor, partial, path, recordPath, calls) = (descriptor, partial, path, recordPath, calls)
        do throws(SystemError) {
            try await BlockingFileCall.run { () throws(SystemError) in
                // In this order: after a loss of power, the final path must not have missing bytes.
                try calls.synchronize(descriptor)
                try calls.rename(partial, path)
                unlink(recordPath)
            }
        } catch {
            throw AtomicFile.Failure(path: path, code: error.code)
        }
        isDone = true
    }
}

/// What a later process needs to continue a download.
struct DownloadRecord: Codable, Equatable {
    /// The redacted URL: a signature that changes each time does not matter, and no secret is stored on the disk.
    var url: String
    /// The strong entity tag, or the date of the last change, of the bytes in the file.
    var validator: String
    /// The length of the whole resource; nil if the server did not send it.
    var total: Int64?

    /// Creates the record for a response whose bytes begin a file; nil if no strong validator identifies the version, so
    /// that parts could not be joined safely (RFC 9110, sections 8.8.1 and 13.1.5).
    init?(url: String, _ headers: HTTPHeaders) {
        self.url = url
        // The Content-Length of a part is that of the part.
        total =
            if let range = headers[.contentRange] {
                ContentRange(range)?.total
            } else {
                headers[.contentLength].flatMap { Int64($0) }
            }
        // The bytes of an encoded body are decoded before they are written: the offsets are those of other bytes.
        guard headers[.acceptRanges]?.lowercased() != "none", !DownloadRecord.isEncoded(headers) else { return nil }
        if let tag = headers[.etag] {
            guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count >= 2, HTTPSyntax.isFieldValue(tag) else {
                return nil
            }
            validator = tag
            return
        }
        // A date is strong if it was at least a second old: two versions within one second look the same.
        let now = Date()
        guard let text = headers[.lastModified], let changed = HTTPDate.date(text, now: now),
            let sent = headers[.date].flatMap({ HTTPDate.date($0, now: now) }), sent.timeIntervalSince(changed) >= 1
        else { return nil }
        validator = text
    }

    /// Returns whether the body of a response is encoded although the request does not allow that.
    static func isEncoded(_ headers: HTTPHeaders) -> Bool {
        headers.list(.contentEncoding).contains { $0.lowercased() != "identity" }
    }

    /// Returns whether a part with these fields is proven to belong to the recorded version: a server may ignore `If-Range`,
    /// and a part without the validator may be of another file.
    func matches(_ headers: HTTPHeaders) -> Bool {
        if DownloadRecord.isEncoded(headers) { return false }
        if let total, let received = headers[.contentRange].flatMap({ ContentRange($0)?.total }), received != total {
            return false
        }
        let field = validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return headers[field] == validator
    }
}
