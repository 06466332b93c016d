import SystemCalls

/// The file of a journal: the position of its last record, appending to it, and replacing it.
///
/// The bytes from ``end`` to ``size`` are room for further records, unless another process has written there. Every method
/// that writes requires the lock between processes.
final class JournalFile {
    let path: String
    let system: FileSystem

    private(set) var file: OpenFile?
    /// The identity of ``file``; its size is that when it was opened.
    private(set) var status: POSIX.Status?
    /// The header of ``file``. Another header means that the file was rewritten in place.
    private var header: [UInt8] = []
    /// The base end in the header of a file that was rewritten in place, instead of its size when it was created.
    static let rewrittenBaseEnd = 0
    /// Whether ``file`` was rewritten in place. It then gets no room: a process that has read it before the rewriting would
    /// not notice. A compaction replaces it as soon as there is space.
    private var isRewritten: Bool {
        guard case .whole(_, _, _, Self.rewrittenBaseEnd) = JournalFormat.readHeader(header) else { return false }
        return true
    }
    /// Whether ``file`` was opened for writing: reading alone requires no permission to write.
    private var isWritable = false
    /// The offset behind the last record that was read or written.
    private(set) var end = 0
    /// The offset and the header of the last record, or those of the file's header if no record was read or written.
    ///
    /// An older copy that is written over the file has other bytes there, even if it has the same size.
    private var last: (offset: Int, header: [UInt8]) = (0, [])
    /// The size of the file.
    private(set) var size = 0
    /// The number of records appended since the file was opened. The first ones get no room behind them.
    private var appendCount = 0
    /// The size from which a compaction is tried again after one that failed.
    private var compactionThreshold = 0
    /// Whether the name of the file may not be durable yet.
    var folderNeedsSynchronising = false

    var backupPath: String { path + ".backup" }
    private var temporaryPath: String { path + ".tmp" }

    init(path: String, system: FileSystem) {
        self.path = path
        self.system = system
    }

    // MARK: Reading

    /// What has happened to the file since it was last read.
    enum Change {
        case absent, unchanged, appended, replaced
    }

    /// Compares the file at the path with the one that was read.
    func change() throws(LocalError) -> Change {
        guard let present = try system.outline(of: path) else { return .absent }
        guard let file, let status, present.isSameFile(as: status), present.size >= end else { return .replaced }
        size = present.size
        let found = try bytesAtEnd(of: file)
        guard found.header == last.header else { return .replaced }
        // Values can have been removed without a change of the size.
        guard present.size > end else {
            return try file.bytes(JournalFormat.headerSize, at: 0) == header ? .unchanged : .replaced
        }
        // One byte of a record in a file that was rewritten can be like the filler, but not four.
        return found.next.allSatisfy { $0 == JournalFormat.filler } ? .unchanged : .appended
    }

    /// Returns the header of the last record and up to four bytes at ``end``, which are the room's until a record replaces
    /// them. One system call reads both if the record is short.
    private func bytesAtEnd(of file: OpenFile) throws(LocalError) -> (header: [UInt8], next: [UInt8]) {
        let length = end - last.offset
        guard length <= 4_096 else {
            return (try file.bytes(last.header.count, at: last.offset), try file.bytes(4, at: end))
        }
        let bytes = try file.bytes(length + 4, at: last.offset)
        return (Array(bytes.prefix(last.header.count)), Array(bytes.dropFirst(length)))
    }

    /// Returns the bytes behind the last record, which ``change()`` has found unchanged, or `nil` if the file was rewritten in
    /// place.
    func appendedBytes() throws(LocalError) -> [UInt8]? {
        guard let file, try file.bytes(JournalFormat.headerSize, at: 0) == header else { return nil }
        return try file.contents(from: end)
    }

    /// Opens the file and returns its bytes, or `nil` if it does not exist. ``moveEnd(behind:in:from:)``
    /// must follow.
    func open(forWriting: Bool) throws(LocalError) -> [UInt8]? {
        guard let opened = try system.open(path, forWriting ? .writing : .reading) else { return nil }
        let bytes = try opened.contents()
        let present = try opened.status()
        // The process that renamed the file may have ended before the name was durable.
        if !(status.map(present.isSameFile) ?? false) { folderNeedsSynchronising = true }
        (file, status, isWritable, size, hasRemains) = (opened, present, forWriting, bytes.count, false)
        header = Array(bytes.prefix(JournalFormat.headerSize))
        return bytes
    }

    /// Moves ``end`` behind the last intact record of `bytes`, which begin at `start`.
    func moveEnd(behind scan: JournalScan, in bytes: [UInt8], from start: Int = 0) {
        if let record = scan.lastRecord {
            last = (start + record, Array(bytes[record...].prefix(JournalFormat.recordHeaderSize)))
        } else if start == 0 {
            last = (0, header)
        }
        end = start + scan.end
    }

    /// Forgets the file, so that it is opened again.
    func forget() { (file, status, end, size) = (nil, nil, 0, 0) }

    /// Returns to an earlier file and position.
    func restore(_ file: OpenFile?, end: Int) { (self.file, self.end, last) = (file, end, (0, [])) }

    // MARK: Appending

    /// Appends the bytes of a record, with room for further ones if several have been appended.
    ///
    /// - Throws: ``LocalError``; ``hasRemains`` then says whether a part of the record is left in the file.
    func append(_ record: [UInt8]) throws(LocalError) {
        try makeWritable()
        let recordEnd = end + record.count
        if recordEnd > size, appendCount >= 8, !isRewritten {
            let target = (recordEnd / JournalFormat.roomStep + 1) * JournalFormat.roomStep
            let room = [UInt8](repeating: JournalFormat.filler, count: target - recordEnd)
            if try write(record + room, recordEnd: recordEnd) { return }
        }
        _ = try write(record, recordEnd: recordEnd)
    }

    /// Whether a part of a record is left in the file behind ``end``.
    private(set) var hasRemains = false

    /// Writes bytes at ``end``.
    ///
    /// - Parameters:
    ///   - bytes: a record, and perhaps room.
    ///   - recordEnd: the offset of the end of the record.
    /// - Returns: whether the record was written; false only if the bytes contain room, without which it may fit.
    /// - Throws: ``LocalError``.
    private func write(_ bytes: [UInt8], recordEnd: Int) throws(LocalError) -> Bool {
        guard let file else { throw .io(path: path, operation: "open", errno: SystemError.absent) }
        let hasRoom = end + bytes.count > recordEnd
        do {
            try file.write(bytes, at: end)
            didAppend(bytes, end: recordEnd, size: max(size, end + bytes.count))
            return true
        } catch {
            // An intact record may have been read by others: it stays, with as much room as there was space for.
            if hasRoom, case .full = error, let present = try? file.status().size, present >= recordEnd {
                didAppend(bytes, end: recordEnd, size: present)
                return true
            }
            // A part of a record must not stay before the next record. If it cannot be removed, the next holder of the lock
            // finds an unfinished record and removes it.
            do {
                try file.truncate(to: end)
                size = end
            } catch {
                hasRemains = true
            }
            guard hasRoom, !hasRemains, case .full = error else { throw error }
            return false
        }
    }

    private func didAppend(_ bytes: [UInt8], end: Int, size: Int) {
        last = (self.end, Array(bytes.prefix(JournalFormat.recordHeaderSize)))
        (self.end, self.size) = (end, size)
        appendCount += 1
    }

    private func makeWritable() throws(LocalError) {
        guard !isWritable, let opened = try system.open(path, .writing) else { return }
        // The lock is held: it is still the file that was read.
        (file, status, isWritable) = (opened, try opened.status(), true)
    }

    /// Removes what follows the last record.
    func removeRemains() throws(LocalError) {
        try file?.truncate(to: end)
        size = end
        hasRemains = false
    }

    // MARK: Replacing

    /// Whether most of the file consists of replaced values.
    func isWorthCompacting(_ entries: JournalEntries) -> Bool {
        end > max(isRewritten ? 0 : 2 * entries.imageSize + 65_536, compactionThreshold)
    }

    /// Replaces the file by one with new content, and makes the old file the backup.
    func compact(to image: [UInt8]) throws(LocalError) {
        do {
            try replace(with: image, keepsBackup: true)
        } catch {
            // Either the old file is in place, or the new one whose name is not durable yet. Both can be used. The next
            // attempt is made when the file has grown, not at each write.
            compactionThreshold = end + end / 2
            throw error
        }
    }

    /// Replaces the file by one with new content.
    func replace(with image: [UInt8], keepsBackup: Bool) throws(LocalError) {
        let fresh = try writeTemporary(image)
        do {
            if keepsBackup { try system.duplicate(path, as: backupPath) }
            try system.rename(temporaryPath, to: path)
        } catch {
            _ = try? system.remove(temporaryPath)
            throw error
        }
        (file, end, size) = (fresh, image.count, image.count)
        (hasRemains, isWritable, compactionThreshold) = (false, true, 0)
        header = Array(image.prefix(JournalFormat.headerSize))
        last = (0, header)
        folderNeedsSynchronising = true
        status = try fresh.status()
        try synchroniseFolderIfNeeded()
    }

    /// Replaces the backup by one with new content.
    func replaceBackup(with image: [UInt8]) throws(LocalError) {
        _ = try writeTemporary(image)
        try system.rename(temporaryPath, to: backupPath)
    }

    private func writeTemporary(_ image: [UInt8]) throws(LocalError) -> OpenFile {
        try system.remove(temporaryPath)
        guard let fresh = try system.open(temporaryPath, .creating) else {
            throw .io(path: temporaryPath, operation: "open", errno: SystemError.absent)
        }
        do {
            try fresh.write(image, at: 0)
            try fresh.synchronise()
        } catch {
            _ = try? system.remove(temporaryPath)
            throw error
        }
        return fresh
    }

    /// Records that the file was rewritten in place.
    func didRewrite(to end: Int, _ header: [UInt8]) {
        (self.end, size, self.header, last, compactionThreshold) = (end, end, header, (0, header), 0)
    }

    /// Makes the name of the file durable, if necessary.
    func synchroniseFolderIfNeeded() throws(LocalError) {
        guard folderNeedsSynchronising else { return }
        try system.synchroniseFolder(FileSystem.parent(of: path))
        folderNeedsSynchronising = false
    }

    // MARK: Other files

    /// The path of the copy of a damaged file.
    static func damagedCopy(of path: String) -> String { path + ".damaged" }

    /// Links a damaged file as `.damaged`, so that nothing of it is lost; the latest one replaces earlier ones.
    ///
    /// - Returns: the path of the link, or `nil` if it could not be created.
    func setAside(_ damaged: String) -> String? {
        let target = Self.damagedCopy(of: path)
        let isSetAside: Void? = try? system.duplicate(damaged, as: target)
        return isSetAside == nil ? nil : target
    }

    /// Makes a durable link to the file, or a copy if links are not supported.
    func archive(as target: String) throws(LocalError) {
        try file?.synchronise()
        try system.duplicate(path, as: target)
        try system.synchroniseFolder(FileSystem.parent(of: path))
    }

    /// Removes the files that repairs, migrations and interrupted writes have left.
    func removeLeftovers() throws(LocalError) {
        let folder = FileSystem.parent(of: path)
        let name = FileSystem.name(of: path)
        for other in try system.list(folder) where other.hasPrefix(name + ".") {
            var suffix = other.dropFirst(name.count + 1)
            if suffix.hasSuffix("tmp") { suffix = "tmp" }
            let isArchive = suffix.first == "v" && suffix.dropFirst().allSatisfy(\.isNumber)
            guard suffix == "damaged" || suffix == "tmp" || isArchive else { continue }
            try system.remove(folder + "/" + other)
            folderNeedsSynchronising = true
        }
        try synchroniseFolderIfNeeded()
    }
}
