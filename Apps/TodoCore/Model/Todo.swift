package import JSONValues
import TextEscaping

/// A todo. Formats, orders, links and recurrence add what they need of it, each in its own file.
public struct Todo: Hashable, Sendable, Identifiable {
    /// The short name that people and scripts use. It is never assigned to another todo.
    public package(set) var id: TodoID
    /// The task: one line, never empty, without control characters.
    public var title: String
    /// The priority; `nil` if none was set.
    public var priority: Priority?
    /// The projects, without the `+` of todo.txt. Each is contained once, in the order of input.
    public var projects: [String] = []
    /// The places or tools it requires, without the `@` of todo.txt. Each is contained once, in the order of input.
    public var contexts: [String] = []
    /// Further labels, without the `#`. Each is contained once, in the order of input.
    public var tags: [String] = []
    /// The name of its ``TodoList``; `nil` for a local todo.
    public var list: String?
    /// The day by which it is due.
    public var due: Day?
    /// The time of the due day; `nil` if the whole day is meant.
    public var dueTime: TimeOfDay?
    /// The day before which it is hidden from lists: it waits.
    public var threshold: Day?
    /// The repetition: completing the todo adds the next one.
    public var recurrence: Recurrence?
    /// The day of the month on which it repeats, if the present month is too short for it: the 31st stays the
    /// 31st after a February.
    package var monthDay: Int?
    /// The todo of which it is a part. The parent may have been deleted.
    public var parent: TodoID?
    /// The todos that must be done before it, by their ``uuid``.
    public var dependencies: [UUID] = []
    /// Further text of any number of lines.
    public var note: String?
    /// The time at which it was added.
    public var created: Date
    /// The time of the last change.
    public var modified: Date
    /// The time at which it was completed; `nil` while it is open.
    public var completed: Date?
    /// The time since which it is in progress; `nil` if it is not.
    public var started: Date?
    /// The time in seconds that was spent on it until it was last stopped.
    public var spent = 0.0
    /// Whether it is archived: stored, but listed only on request.
    public var isArchived = false
    /// Identifies the todo in other programs, and when it is imported again. Todos of the first version have none until
    /// they are changed.
    public var uuid: UUID?
    /// Fields of other programs, preserved by import and export.
    public var extras: [String: String] = [:]
    /// Fields of newer versions of the program, by name. They are preserved by every change.
    package var unknownFields: [String: JSONValue] = [:]

    /// Creates an open todo of which only the title is set.
    package init(id: TodoID, title: String, now: Date, uuid: UUID? = nil) {
        (self.id, self.title, self.uuid) = (id, title, uuid)
        (created, modified) = (now, now)
    }

    /// Creates a todo with the values of a change, which must have a title.
    ///
    /// - Throws: ``TodoError`` as ``TodoChange/apply(to:)`` does.
    public init(id: TodoID, _ change: TodoChange, now: Date, uuid: UUID = UUID()) throws(TodoError) {
        self.init(id: id, title: "", now: now, uuid: uuid)
        try change.apply(to: &self)
        if title.isEmpty { throw .emptyTitle }
    }

    /// Whether it has been completed.
    public var isDone: Bool { completed != nil }

    /// Whether it is open and in progress.
    public var isActive: Bool { started != nil && !isDone }

    /// Returns the time in seconds that was spent on it until a time.
    public func timeSpent(at now: Date) -> Double { spent + (started.map { max(0, now.timeIntervalSince($0)) } ?? 0) }

    /// Ends the work on it.
    mutating func stop(at now: Date) {
        spent = timeSpent(at: now)
        started = nil
    }

    /// The first project. Setting it replaces all.
    public var project: String? {
        get { projects.first }
        set { projects = newValue.map { [$0] } ?? [] }
    }

    /// Whether it is hidden from lists, because its ``threshold`` is later than `today`.
    public func isWaiting(on today: Day) -> Bool {
        guard let threshold, !isDone else { return false }
        return threshold > today
    }

    /// Whether it is open and was due before a time. Without a time of day, it is overdue when its day is over.
    public func isOverdue(on today: Day, at time: TimeOfDay? = nil) -> Bool {
        guard let due, !isDone else { return false }
        if due == today, let dueTime, let time { return dueTime < time }
        return due < today
    }
}

extension Todo: Codable {
    /// The fields by name.
    ///
    /// The first project is stored as `project`, as in the first version; `projects` is stored if there are several.
    fileprivate enum Field: String, CaseIterable {
        case completed, contexts, created, dependencies, due, dueTime, extras, id, isArchived, list, modified, monthDay
        case note, parent, priority, project, projects, recurrence, spent, started, tags, threshold, title, uuid

        /// The fields by name: finding one is several times as fast as `init(rawValue:)`, which compares all names.
        static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    }

    /// Reads the JSON of a todo.
    ///
    /// - Throws: `JSONError` for a value of another type, and if a field is missing that every todo has.
    package init(reading reader: inout JSONReader) throws(JSONError) {
        self.init(id: Self.noID, title: "", now: .distantPast)
        var requiredCount = 0
        _ = try reader.kind()
        let start = reader.offset
        try reader.readObject { name, reader throws(JSONError) in
            guard let field = Field.named[name] else { return unknownFields[name] = try reader.readValue() }
            if try reader.kind() == .null { return try reader.readNull() }
            switch field {
            case .id, .title, .contexts, .created, .modified, .isArchived, .extras: requiredCount += 1
            default: break
            }
            switch field {
            case .completed: completed = try reader.readDate()
            case .contexts: contexts = try reader.readStrings()
            case .created: created = try reader.readDate()
            case .dependencies: dependencies = try reader.readElements { UUID(text: $0) }
            case .due: due = try reader.read { Day(iso: $0) }
            case .dueTime: dueTime = try reader.read { TimeOfDay($0) }
            case .extras:
                try reader.readObject { name, reader throws(JSONError) in extras[name] = try reader.readString() }
            case .id: id = try reader.read { TodoID($0) }
            case .isArchived: isArchived = try reader.readBool()
            case .list: list = try reader.readString()
            case .modified: modified = try reader.readDate()
            case .monthDay: monthDay = Int(exactly: try reader.readDouble())
            case .note: note = try reader.readString()
            case .parent: parent = try reader.read { TodoID($0) }
            case .priority: priority = try reader.read { Priority($0) }
            case .project: if projects.isEmpty { projects = [try reader.readString()] } else { try reader.skipValue() }
            case .projects: projects = try reader.readStrings()
            case .recurrence: recurrence = try reader.read { Recurrence($0) }
            case .spent: spent = try reader.readDouble()
            case .started: started = try reader.readDate()
            case .tags: tags = try reader.readStrings()
            case .threshold: threshold = try reader.read { Day(iso: $0) }
            case .title: title = try reader.readString()
            case .uuid: uuid = try reader.read { UUID(text: $0) }
            }
        }
        guard requiredCount == 7 else { throw reader.error("a field of the todo is missing", at: start) }
    }

    /// Parses the JSON of a todo; `nil` if it is invalid.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> Todo? {
        try? JSONReader.read(bytes.assumingMemoryBound(to: UInt8.self)) { reader throws(JSONError) in
            try Todo(reading: &reader)
        }
    }

    /// The ID of a todo that has none yet.
    package static let noID = TodoID(serial: 0)

    public init(from decoder: any Decoder) throws {
        let json = JSONWriter.bytes(try JSONValue(from: decoder))
        do {
            self = try JSONReader.read(json) { reader throws(JSONError) in try Todo(reading: &reader) }
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.message))
        }
    }

    public func encode(to encoder: any Encoder) throws { try JSONValue(parsing: json).encode(to: encoder) }

    /// The JSON with sorted members. Fields that are not set are omitted.
    var json: [UInt8] { JSONWriter.bytes { $0.write(self) } }
}

extension JSONWriter {
    /// Writes the JSON of a todo.
    package mutating func write(_ todo: Todo) {
        // Fields of newer programs stand among the others, in the order of all names.
        var unknown = todo.unknownFields.sorted { $0.key < $1.key }[...]
        object { writer in
            func field(_ field: Todo.Field, _ write: (inout JSONWriter, String) -> Void) {
                while let next = unknown.first, next.key < field.rawValue {
                    writer.member(next.key) { $0.write(next.value) }
                    unknown.removeFirst()
                }
                write(&writer, field.rawValue)
            }
            field(.completed) { $0.member($1, todo.completed?.timeIntervalSinceReferenceDate) }
            field(.contexts) { $0.member($1, todo.contexts) }
            field(.created) { $0.member($1, todo.created.timeIntervalSinceReferenceDate) }
            if !todo.dependencies.isEmpty {
                field(.dependencies) { $0.member($1, todo.dependencies.map(\.uuidString)) }
            }
            field(.due) { $0.member($1, todo.due?.description) }
            field(.dueTime) { $0.member($1, todo.dueTime?.description) }
            field(.extras) { $0.member($1) { $0.write(.object(todo.extras.mapValues(JSONValue.string))) } }
            field(.id) { $0.member($1, todo.id.description) }
            field(.isArchived) { $0.member($1, todo.isArchived) }
            field(.list) { $0.member($1, todo.list) }
            field(.modified) { $0.member($1, todo.modified.timeIntervalSinceReferenceDate) }
            field(.monthDay) { $0.member($1, todo.monthDay) }
            field(.note) { $0.member($1, todo.note) }
            field(.parent) { $0.member($1, todo.parent?.description) }
            field(.priority) { $0.member($1, todo.priority?.description) }
            field(.project) { $0.member($1, todo.project) }
            if todo.projects.count > 1 { field(.projects) { $0.member($1, todo.projects) } }
            field(.recurrence) { $0.member($1, todo.recurrence?.description) }
            if todo.spent > 0 { field(.spent) { $0.member($1, todo.spent) } }
            field(.started) { $0.member($1, todo.started?.timeIntervalSinceReferenceDate) }
            if !todo.tags.isEmpty { field(.tags) { $0.member($1, todo.tags) } }
            field(.threshold) { $0.member($1, todo.threshold?.description) }
            field(.title) { $0.member($1, todo.title) }
            field(.uuid) { $0.member($1, todo.uuid?.uuidString) }
            for (name, value) in unknown { writer.member(name) { $0.write(value) } }
        }
    }
}

extension JSONReader {
    fileprivate mutating func readDate() throws(JSONError) -> Date {
        let start = offset
        let seconds = try readDouble()
        guard seconds.isFinite else { throw error("the time is too large", at: start) }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// Reads a string and converts it.
    fileprivate mutating func read<Value>(_ convert: (String) -> Value?) throws(JSONError) -> Value {
        let start = offset
        let text = try readString()
        guard let value = convert(text) else { throw error("the value \(text.quoted()) is invalid", at: start) }
        return value
    }

    fileprivate mutating func readElements<Value>(_ convert: (String) -> Value?) throws(JSONError) -> [Value] {
        var values: [Value] = []
        try readArray { reader throws(JSONError) in values.append(try reader.read(convert)) }
        return values
    }

    fileprivate mutating func readStrings() throws(JSONError) -> [String] { try readElements { $0 } }
}
