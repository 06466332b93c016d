/// A journal's file and, in memory, what its records add up to. Not safe between threads: ``JSONDefaults`` guards it.
///
/// Writing happens under the lock between processes, after reading what others have appended. Reading needs no lock:
/// a record half written by another is not whole yet, and stays unread until it is.
final class Journal {
    struct Entry {
        var value: [UInt8]
        var sequence: UInt64
        var writer: UInt32
    }

    let path: String
    let system: FileSystem
    /// Tells this process's records from others'.
    let writer: UInt32
    /// The highest schema version that the program knows: what has a higher one is left alone.
    let supportedSchema: Int

    /// The schema version of the values.
    var schema = 1
    var entries: [LocalIdentifier: Entry] = [:]
    var file: OpenFile?
    /// Which file ``file`` is; its length there is that of its opening.
    var outline: FileOutline?
    /// Whether ``file`` was opened for writing: who only reads needs no permission to write.
    var isWritable = false
    /// Whether the place has been looked at: what is found there later is news, what is found first is none.
    var hasLooked = false
    /// How far the records have been read.
    var end = 0
    /// How long the file is: what is behind ``end`` is room for records, unless another has written there.
    var length = 0
    /// How many records have been appended here: who writes once or twice needs no room for more.
    var appendCount = 0
    var lastSequence: UInt64 = 0
    /// The bytes that the present values would take in a fresh journal, at most.
    var liveBytes = 0
    /// Whether the file holds what only a holder of the lock may judge: an unfinished record, or damage.
    var needsRepair = false
    /// Whether records have been read that their writers may not have brought to the disk.
    var mayBeUnsynchronised = false
    /// Whether the file has its name only in memory so far.
    var folderNeedsSynchronising = false
    /// The length from which compaction is worth trying.
    var compactionThreshold = 0
    var recoveries: [LocalRecovery] = []

    var backupPath: String { path + ".backup" }
    var temporaryPath: String { path + ".tmp" }

    init(path: String, system: FileSystem, writer: UInt32, supportedSchema: Int = 1) {
        self.path = path
        self.system = system
        self.writer = writer
        self.supportedSchema = supportedSchema
    }

    /// What was found damaged since the last call.
    func takeRecoveries() -> [LocalRecovery] {
        defer { recoveries = [] }
        return recoveries
    }

    /// Applies a record and returns the changes it makes.
    func apply(_ record: JournalFormat.Record) -> [LocalChange] {
        var changes: [LocalChange] = []
        for operation in record.operations {
            if let value = operation.value {
                let entry = Entry(value: value, sequence: record.sequence, writer: record.writer)
                let old = entries.updateValue(entry, forKey: operation.key)
                liveBytes += old.map { value.count - $0.value.count } ?? Self.size(of: operation.key, value)
                changes.append(change(operation.key, .set, by: record.writer))
            } else if let old = entries.removeValue(forKey: operation.key) {
                liveBytes -= Self.size(of: operation.key, old.value)
                changes.append(change(operation.key, .removed, by: record.writer))
            }
        }
        return changes
    }

    func change(_ key: LocalIdentifier, _ kind: LocalChange.Kind, by author: UInt32?) -> LocalChange {
        LocalChange(
            store: .defaults,
            identifier: key.text,
            kind: kind,
            origin: author == writer ? .thisProcess : .anotherProcess
        )
    }

    private static func size(of key: LocalIdentifier, _ value: [UInt8]) -> Int {
        JournalFormat.recordHeaderSize + JournalFormat.operationHeaderSize + key.text.utf8.count + value.count
    }
}
