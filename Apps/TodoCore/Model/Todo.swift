package import JSONValues
import TextEscaping

/// A todo. Formats, orders, links and recurrence add what they need of it, each in its own file.
///
/// Its copies share their memory until one of them changes: a list of many todos is copied often.
public struct Todo: Hashable, Sendable, Identifiable {
    /// The short name that people and scripts use. It is never assigned to another todo.
    public package(set) var id: TodoID {
        get { values.id }
        set { values.id = newValue }
    }
    /// The task: one line, never empty, without control characters.
    public var title: String {
        get { values.title }
        set { values.title = newValue }
    }
    /// The priority; `nil` if none was set.
    public var priority: Priority? {
        get { values.priority }
        set { values.priority = newValue }
    }
    /// The projects, without the `+` of todo.txt. Each is contained once, in the order of input.
    public var projects: [String] {
        get { values.projects }
        set { values.projects = newValue }
    }
    /// The places or tools it requires, without the `@` of todo.txt. Each is contained once, in the order of input.
    public var contexts: [String] {
        get { values.contexts }
        set { values.contexts = newValue }
    }
    /// Further labels, without the `#`. Each is contained once, in the order of input.
    public var tags: [String] {
        get { values.tags }
        set { values.tags = newValue }
    }
    /// The name of its ``TodoList``; `nil` for a local todo.
    public var list: String? {
        get { values.list }
        set { values.list = newValue }
    }
    /// The day by which it is due.
    public var due: Day? {
        get { values.due }
        set { values.due = newValue }
    }
    /// The time of the due day; `nil` if the whole day is meant.
    public var dueTime: TimeOfDay? {
        get { values.dueTime }
        set { values.dueTime = newValue }
    }
    /// The day before which it is hidden from lists: it waits.
    public var threshold: Day? {
        get { values.threshold }
        set { values.threshold = newValue }
    }
    /// The repetition: completing the todo adds the next one.
    public var recurrence: Recurrence? {
        get { values.recurrence }
        set { values.recurrence = newValue }
    }
    /// The day of the month on which it repeats, if the present month is too short for it: the 31st stays the
    /// 31st after a February.
    package var monthDay: Int? {
        get { values.monthDay }
        set { values.monthDay = newValue }
    }
    /// The todo of which it is a part. The parent may have been deleted.
    public var parent: TodoID? {
        get { values.parent }
        set { values.parent = newValue }
    }
    /// The todos that must be done before it, by their ``uuid``.
    public var dependencies: [UUID] {
        get { values.dependencies }
        set { values.dependencies = newValue }
    }
    /// Further text of any number of lines.
    public var note: String? {
        get { values.note }
        set { values.note = newValue }
    }
    /// The time at which it was added.
    public var created: Date {
        get { values.created }
        set { values.created = newValue }
    }
    /// The time of the last change.
    public var modified: Date {
        get { values.modified }
        set { values.modified = newValue }
    }
    /// The time at which it was completed; `nil` while it is open.
    public var completed: Date? {
        get { values.completed }
        set { values.completed = newValue }
    }
    /// The time since which it is in progress; `nil` if it is not.
    public var started: Date? {
        get { values.started }
        set { values.started = newValue }
    }
    /// The time in seconds that was spent on it until it was last stopped.
    public var spent: Double {
        get { values.spent }
        set { values.spent = newValue }
    }
    /// Whether it is archived: stored, but listed only on request.
    public var isArchived: Bool {
        get { values.isArchived }
        set { values.isArchived = newValue }
    }
    /// Identifies the todo in other programs, and when it is imported again. Todos of the first version have none until
    /// they are changed.
    public var uuid: UUID? {
        get { values.uuid }
        set { values.uuid = newValue }
    }
    /// Fields of other programs, preserved by import and export.
    public var extras: [String: String] {
        get { values.extras }
        set { values.extras = newValue }
    }
    /// Fields of newer versions of the program, by name. They are preserved by every change.
    package var unknownFields: [String: JSONValue] {
        get { values.unknownFields }
        set { values.unknownFields = newValue }
    }

    // MARK: The values

    /// The fields, which are described above.
    private struct Values: Hashable, Sendable {
        var id: TodoID
        var title: String
        var priority: Priority?
        var projects: [String] = []
        var contexts: [String] = []
        var tags: [String] = []
        var list: String?
        var due: Day?
        var dueTime: TimeOfDay?
        var threshold: Day?
        var recurrence: Recurrence?
        var monthDay: Int?
        var parent: TodoID?
        var dependencies: [UUID] = []
        var note: String?
        var created: Date
        var modified: Date
        var completed: Date?
        var started: Date?
        var spent: Double = 0.0
        var isArchived: Bool = false
        var uuid: UUID?
        var extras: [String: String] = [:]
        var unknownFields: [String: JSONValue] = [:]
    }

    private final class Shared: @unchecked Sendable {
        // Sendable: changed only by the one todo that refers to it.
        var values: Values

        init(_ values: Values) { self.values = values }
    }

    private var shared: Shared

    private var values: Values {
        _read { yield shared.values }
        _modify {
            if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.values) }
            yield &shared.values
        }
    }

    public static func == (left: Todo, right: Todo) -> Bool {
        left.shared === right.shared || left.values == right.values
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(values) }

    /// Creates an open todo of which only the title is set.
    package init(id: TodoID, title: String, now: Date, uuid: UUID? = nil) {
        self.init(Values(id: id, title: title, created: now, modified: now, uuid: uuid))
    }

    private init(_ values: Values) { shared = Shared(values) }

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

    /// Whether it is open and was due before a time. Without a time of day, it is overdue when its day is over. The clock decides:
    /// in an hour that it shows twice, a todo can be overdue, and then not yet.
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

        /// The fields in the order of their names, in which JSON has them.
        static let ordered = allCases
        static let names = JSONNames(ordered.map(\.rawValue))
    }

    /// Reads the JSON of a todo.
    ///
    /// - Throws: `JSONError` for a value of another type, and if a field is missing that every todo has.
    package init(reading reader: inout JSONReader) throws(JSONError) {
        var values = Values(id: Self.noID, title: "", created: .distantPast, modified: .distantPast)
        var requiredCount = 0
        _ = try reader.kind()
        let start = reader.offset
        try reader.readObject(expecting: Field.names) { name, reader throws(JSONError) in
            let field: Field
            switch name {
            case .expected(let place): field = Field.ordered[place]
            case .other(let name): return values.unknownFields[name] = try reader.readValue()
            }
            if try reader.kind() == .null { return try reader.readNull() }
            switch field {
            case .id, .title, .contexts, .created, .modified, .isArchived, .extras: requiredCount += 1
            default: break
            }
            switch field {
            case .completed: values.completed = try reader.readDate()
            case .contexts: values.contexts = try reader.readStrings()
            case .created: values.created = try reader.readDate()
            case .dependencies:
                values.dependencies = try reader.readElements { reader throws(JSONError) in try reader.readUUID() }
            case .due: values.due = try reader.read { Day(iso: $0) }
            case .dueTime: values.dueTime = try reader.read { TimeOfDay($0) }
            case .extras:
                try reader.readObject { name, reader throws(JSONError) in
                    values.extras[name] = try reader.readString()
                }
            case .id: values.id = try reader.read { TodoID($0) }
            case .isArchived: values.isArchived = try reader.readBool()
            case .list: values.list = try reader.readString()
            case .modified: values.modified = try reader.readDate()
            case .monthDay: values.monthDay = Int(exactly: try reader.readDouble())
            case .note: values.note = try reader.readString()
            case .parent: values.parent = try reader.read { TodoID($0) }
            case .priority: values.priority = try reader.read { Priority($0) }
            case .project:
                if values.projects.isEmpty {
                    values.projects = [try reader.readString()]
                } else {
                    try reader.skipValue()
                }
            case .projects: values.projects = try reader.readStrings()
            case .recurrence: values.recurrence = try reader.read { Recurrence($0) }
            case .spent: values.spent = min(max(0, try reader.readDouble()), JSONReader.secondsLimit)
            case .started: values.started = try reader.readDate()
            case .tags: values.tags = try reader.readStrings()
            case .threshold: values.threshold = try reader.read { Day(iso: $0) }
            case .title: values.title = try reader.readString()
            case .uuid: values.uuid = try reader.readUUID()
            }
        }
        guard requiredCount == 7 else { throw reader.error("a field of the todo is missing", at: start) }
        self.init(values)
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
            func field(_ name: StaticString, _ write: (inout JSONWriter, StaticString) -> Void) {
                while let next = unknown.first, next.key < name.description {
                    writer.member(named: next.key) { $0.write(next.value) }
                    unknown.removeFirst()
                }
                write(&writer, name)
            }
            field("completed") { $0.member($1, todo.completed?.timeIntervalSinceReferenceDate) }
            field("contexts") { $0.member($1, todo.contexts) }
            field("created") { $0.member($1, todo.created.timeIntervalSinceReferenceDate) }
            if !todo.dependencies.isEmpty {
                field("dependencies") { $0.member($1, todo.dependencies.map(\.uuidString)) }
            }
            field("due") { $0.member($1, todo.due?.description) }
            field("dueTime") { $0.member($1, todo.dueTime?.description) }
            field("extras") { $0.member($1) { $0.write(.object(todo.extras.mapValues(JSONValue.string))) } }
            field("id") { $0.member($1, todo.id.description) }
            field("isArchived") { $0.member($1, todo.isArchived) }
            field("list") { $0.member($1, todo.list) }
            field("modified") { $0.member($1, todo.modified.timeIntervalSinceReferenceDate) }
            field("monthDay") { $0.member($1, todo.monthDay) }
            field("note") { $0.member($1, todo.note) }
            field("parent") { $0.member($1, todo.parent?.description) }
            field("priority") { $0.member($1, todo.priority?.description) }
            field("project") { $0.member($1, todo.project) }
            if todo.projects.count > 1 { field("projects") { $0.member($1, todo.projects) } }
            field("recurrence") { $0.member($1, todo.recurrence?.description) }
            if todo.spent > 0 { field("spent") { $0.member($1, todo.spent) } }
            field("started") { $0.member($1, todo.started?.timeIntervalSinceReferenceDate) }
            if !todo.tags.isEmpty { field("tags") { $0.member($1, todo.tags) } }
            field("threshold") { $0.member($1, todo.threshold?.description) }
            field("title") { $0.member($1, todo.title) }
            field("uuid") { $0.member($1, todo.uuid?.uppercaseText) }
            for (name, value) in unknown { writer.member(named: name) { $0.write(value) } }
        }
    }
}

extension JSONReader {
    /// More seconds than from the year 1 to 9999; every calculation with them has an integral result.
    fileprivate static let secondsLimit = 1e12

    fileprivate mutating func readDate() throws(JSONError) -> Date {
        let start = offset
        let seconds = try readDouble()
        guard seconds.isFinite else { throw error("the time is too large", at: start) }
        return Date(timeIntervalSinceReferenceDate: min(max(-Self.secondsLimit, seconds), Self.secondsLimit))
    }

    /// Reads a string and converts it.
    fileprivate mutating func read<Value>(_ convert: (String) -> Value?) throws(JSONError) -> Value {
        let start = offset
        let text = try readString()
        guard let value = convert(text) else { throw error("the value \(text.quoted()) is invalid", at: start) }
        return value
    }

    fileprivate mutating func readUUID() throws(JSONError) -> UUID {
        if let uuid = readPlainString({ UUID(text: $0) }) { return uuid }
        return try read { UUID(text: $0) }
    }

    fileprivate mutating func readElements<Value>(
        _ read: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> [Value] {
        var values: [Value] = []
        try readArray { reader throws(JSONError) in values.append(try read(&reader)) }
        return values
    }

    fileprivate mutating func readStrings() throws(JSONError) -> [String] {
        try readElements { reader throws(JSONError) in try reader.readString() }
    }
}
