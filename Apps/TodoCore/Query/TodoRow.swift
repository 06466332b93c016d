import SystemCalls
import TextEscaping

/// The values of a todo that lists compare: its place in the display order, and what a query can ask for.
///
/// The texts of many rows are in one block of memory, in lower case and composed, so that a search compares bytes of UTF-8.
/// Each text begins with the mark of its field and ends with NUL; no text and no query contains these bytes.
struct TodoRow: Sendable {
    /// What is true of a todo.
    struct Flags: OptionSet, Hashable {
        let rawValue: UInt16
        static let done = Flags(rawValue: 1)
        static let archived = Flags(rawValue: 2)
        static let recurring = Flags(rawValue: 4)
        static let subtask = Flags(rawValue: 8)
        static let note = Flags(rawValue: 16)
        static let project = Flags(rawValue: 32)
        static let context = Flags(rawValue: 64)
        static let tag = Flags(rawValue: 128)
        static let next = Flags(rawValue: 256)
        static let active = Flags(rawValue: 512)
        /// It is open and waits for another open todo. ``TodoRows`` sets this flag and the next one.
        static let blocked = Flags(rawValue: 1_024)
        /// Another open todo waits for it.
        static let blocking = Flags(rawValue: 2_048)
        /// Its parent does not exist. ``TodoRows`` sets this flag instead of ``subtask``.
        static let orphan = Flags(rawValue: 4_096)
    }

    /// The marks of texts.
    enum Field: UInt8, Hashable {
        case title = 1, note, project, context, tag, list
        static let last = list.rawValue
    }

    var id: TodoID
    var parent: TodoID?
    var flags: Flags
    /// The rank of the priority; `UInt8.max` without a priority.
    var rank: UInt8
    /// The number of contexts, labels and further projects, at most 3.
    var labelCount: UInt8
    /// The number of lines of the note and annotations, at most 3.
    var noteCount: UInt8
    /// The number of the due day; `Int32.max` without a day.
    var due: Int32
    /// The minutes of the due time; `Int16.max` without a time.
    var dueMinutes: Int16
    /// The number of the threshold day; `Int32.min` without a day.
    var threshold: Int32
    /// The times in seconds after the reference date; infinity while it is open.
    var created: Double
    var modified: Double
    var completed: Double
    /// The place of the texts.
    var text: Range<Int>
    /// The ID across programs; zeros without one.
    var uuid: UUID
    /// The place of the IDs of the todos that must be done before it.
    var dependencies: Range<Int>

    static let noUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension TodoRow {
    /// Creates the row of a todo, without its texts and its dependencies.
    init(_ todo: Todo) {
        id = todo.id
        parent = todo.parent
        var flags: Flags = []
        func note(_ flag: Flags, _ isSet: Bool) { if isSet { flags.insert(flag) } }
        note(.done, todo.isDone)
        note(.archived, todo.isArchived)
        note(.recurring, todo.recurrence != nil)
        note(.subtask, todo.parent != nil)
        note(.note, todo.note != nil)
        note(.project, !todo.projects.isEmpty)
        note(.context, !todo.contexts.isEmpty)
        note(.tag, !todo.tags.isEmpty)
        note(.active, todo.isActive)
        note(.next, todo.tags.contains("next"))
        self.flags = flags
        labelCount = UInt8(min(3, todo.tags.count + todo.contexts.count + max(0, todo.projects.count - 1)))
        noteCount = UInt8(min(3, todo.note?.utf8.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) } ?? 0))
        rank = todo.priority?.rank ?? .max
        due = todo.due.map { Int32(clamping: $0.number) } ?? .max
        dueMinutes = todo.dueTime.map { Int16($0.minutes) } ?? .max
        threshold = todo.threshold.map { Int32(clamping: $0.number) } ?? .min
        created = todo.created.timeIntervalSinceReferenceDate
        modified = todo.modified.timeIntervalSinceReferenceDate
        completed = todo.completed?.timeIntervalSinceReferenceDate ?? .infinity
        uuid = todo.uuid ?? Self.noUUID
        (text, dependencies) = (0..<0, 0..<0)
    }

    /// Creates the row of a todo, and adds its texts and its dependencies to others.
    init(_ todo: Todo, texts: inout [UInt8], links: inout [UUID]) {
        self.init(todo)
        append(todo, to: &texts, links: &links)
    }

    /// Adds the texts and the dependencies of its todo to others.
    mutating func append(_ todo: Todo, to texts: inout [UInt8], links: inout [UUID]) {
        let start = texts.count
        Self.append(todo.title, .title, to: &texts)
        if let note = todo.note { Self.append(note, .note, to: &texts) }
        for name in todo.projects { Self.append(name, .project, to: &texts) }
        for name in todo.contexts { Self.append(name, .context, to: &texts) }
        for name in todo.tags { Self.append(name, .tag, to: &texts) }
        if let list = todo.list { Self.append(list, .list, to: &texts) }
        text = start..<texts.count
        dependencies = links.count..<links.count + todo.dependencies.count
        links += todo.dependencies
    }

    /// Returns a text as searches compare it: in lower case and composed (NFC of UAX #15), since a Hangul syllable or a letter
    /// with a mark may come in parts from another program or a file system.
    static func folded(_ text: some StringProtocol) -> [UInt8] {
        let lower = text.lowercased()
        // Latin letters, ideographs and Hangul syllables are composed; other bytes can begin a part.
        let hasParts = lower.utf8.contains { $0 >= 0xCC && !(0xE4...0xED).contains($0) }
        return hasParts ? Array(lower.composed.utf8) : Array(lower.utf8)
    }

    /// Appends a text as ``folded(_:)`` returns it.
    private static func append(_ text: String, _ field: Field, to bytes: inout [UInt8]) {
        bytes.append(field.rawValue)
        var text = text
        let start = bytes.count
        // Text of ASCII and Hangul, which has no case, needs no new string.
        let isDone = text.withUTF8 { source in
            for byte in source {
                // The lead bytes C3 to DF and E1, E2, EF begin the letters that have case.
                guard byte < 0xC3 || (0xEA...0xED).contains(byte) else { return false }
                bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : unmarked(byte))
            }
            return true
        }
        if !isDone {
            bytes.removeSubrange(start...)
            bytes += folded(text).lazy.map(unmarked)
        }
        bytes.append(0)
    }

    /// Replaces a control character that would read as a mark, which only another program can write.
    private static func unmarked(_ byte: UInt8) -> UInt8 { byte <= Field.last ? 0x1F : byte }

    // MARK: Searching

    /// Returns whether a text of a field meets a condition. `range` is the place of the texts of a row.
    static func contains(
        _ field: Field,
        _ texts: UnsafeRawBufferPointer,
        _ range: Range<Int>,
        where isMatch: (_ text: Range<Int>) -> Bool
    ) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = find(0, texts, start..<range.upperBound) ?? range.upperBound
            if texts[start] == field.rawValue, isMatch(start + 1..<end) { return true }
            start = end + 1
        }
        return false
    }

    /// Returns the offset of a byte in a range.
    private static func find(_ byte: UInt8, _ texts: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        guard let base = texts.baseAddress, !range.isEmpty else { return nil }
        return memchr(base + range.lowerBound, Int32(byte), range.count).map { UnsafeRawPointer($0) - base }
    }

    /// Returns the offset of bytes in a range.
    static func find(_ needle: [UInt8], _ texts: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        guard let base = texts.baseAddress, let last = needle.last else { return nil }
        // The last byte of a syllable of Hangul is in fewer texts than the first.
        var place = range.lowerBound + needle.count - 1
        while place < range.upperBound, let hit = find(last, texts, place..<range.upperBound) {
            let start = hit - needle.count + 1
            if memcmp(base + start, needle, needle.count) == 0 { return start }
            place = hit + 1
        }
        return nil
    }

    /// Excludes the rows whose texts, which are in the order of the rows, do not contain a text in lower case.
    static func narrow(
        _ mask: inout [Bool],
        to needle: [UInt8],
        _ rows: UnsafeBufferPointer<TodoRow>,
        _ texts: UnsafeRawBufferPointer
    ) {
        // One search of the whole block: most rows are passed over without being read.
        guard let first = rows.baseAddress else { return }
        var index = 0
        var hit = find(needle, texts, 0..<texts.count)
        while index < mask.count {
            guard mask[index] else {
                index += 1
                continue
            }
            let end = first[index].text.upperBound
            if let place = hit, place < first[index].text.lowerBound {
                hit = find(needle, texts, first[index].text.lowerBound..<texts.count)
            }
            mask[index] = hit.map { $0 < end } ?? false
            index += 1
        }
    }
}

extension TodoRow: Comparable {
    /// The order of todos that are equally urgent: open before completed; open ones by priority, due time and age, completed
    /// ones with the latest first.
    static func < (left: TodoRow, right: TodoRow) -> Bool {
        if left.completed != right.completed { return left.completed > right.completed }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.due != right.due { return left.due < right.due }
        if left.dueMinutes != right.dueMinutes { return left.dueMinutes < right.dueMinutes }
        if left.created != right.created { return left.created < right.created }
        return left.id < right.id
    }
}

/// The rows of many todos with their texts and their dependencies.
struct TodoRows: Sendable {
    private(set) var rows: [TodoRow] = []
    private(set) var texts: [UInt8] = []
    private(set) var links: [UUID] = []
    /// Whether the texts are in the order of the rows, without gaps.
    private let isInOrder: Bool

    /// Creates rows with their texts and their dependencies.
    init(_ rows: [TodoRow], texts: [UInt8], links: [UUID]) {
        (self.rows, self.texts, self.links, isInOrder) = (rows, texts, links, false)
        markDependencies()
        markOrphans()
    }

    /// Creates the rows of todos, in their order.
    ///
    /// - Parameters:
    ///   - todos: the todos.
    ///   - isStore: whether they are all todos of a store, so that other parents do not exist.
    init(_ todos: some Sequence<Todo>, isStore: Bool = true) {
        isInOrder = true
        rows.reserveCapacity(todos.underestimatedCount)
        for todo in todos { rows.append(TodoRow(todo, texts: &texts, links: &links)) }
        markDependencies()
        if isStore { markOrphans() }
    }

    /// Sets the flags of rows that wait for others.
    private mutating func markDependencies() {
        guard !links.isEmpty else { return }
        let wanted = Set(links)
        var places: [UUID: Int] = [:]
        for (index, row) in rows.enumerated() where !row.flags.contains(.done) && wanted.contains(row.uuid) {
            places[row.uuid] = index
        }
        for index in rows.indices where !rows[index].dependencies.isEmpty && !rows[index].flags.contains(.done) {
            for link in links[rows[index].dependencies] {
                guard let place = places[link], place != index else { continue }
                rows[index].flags.insert(.blocked)
                rows[place].flags.insert(.blocking)
            }
        }
    }

    /// Removes the parents of rows that are not among the rows.
    private mutating func markOrphans() {
        var missing = Set(rows.lazy.compactMap(\.parent))
        guard !missing.isEmpty else { return }
        for row in rows { missing.remove(row.id) }
        guard !missing.isEmpty else { return }
        for index in rows.indices where rows[index].parent.map(missing.contains) ?? false {
            rows[index].parent = nil
            rows[index].flags.remove(.subtask)
            rows[index].flags.insert(.orphan)
        }
    }

    /// Returns the indices of the rows in the order of equally urgent ones.
    private var order: [Int] { rows.indices.sorted { rows[$0] < rows[$1] } }

    /// Returns the indices of the rows in display order.
    func order(_ order: TodoOrder) -> [Int] { order.sorted(self.order, of: rows) }

    /// Returns whether each row meets a condition.
    func mask(matching condition: TodoQuery.Node) -> [Bool] {
        var mask = [Bool](repeating: true, count: rows.count)
        rows.withUnsafeBufferPointer { rows in
            texts.withUnsafeBytes { condition.narrow(&mask, rows, $0, isInOrder: isInOrder) }
        }
        return mask
    }

    /// Returns the indices of the rows that meet a condition, in ascending order.
    func indices(matching condition: TodoQuery.Node) -> [Int] {
        let mask = mask(matching: condition)
        return mask.indices.filter { mask[$0] }
    }

    /// Returns the indices of the rows that meet a condition, in display order.
    func indices(matching condition: TodoQuery.Node, _ order: TodoOrder) -> [Int] {
        let found = indices(matching: condition)
        return order.sorted(found.sorted { rows[$0] < rows[$1] }, of: rows)
    }
}

extension Sequence where Element == Todo {
    /// Returns the todos that pass a filter, in display order. The todos are all of a store: whether one is blocked depends on
    /// the others.
    public func matching(_ filter: TodoFilter, _ order: TodoOrder = TodoOrder()) -> [Todo] {
        let todos = Array(self)
        return TodoRows(todos).indices(matching: filter.condition, order).map { todos[$0] }
    }
}
