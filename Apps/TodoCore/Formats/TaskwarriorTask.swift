import JSONValues

/// The attributes of one task in the JSON of taskwarrior.
struct TaskwarriorTask {
    /// The attributes that a todo has fields for, and those that taskwarrior computes.
    enum Attribute: String, CaseIterable {
        case annotations, depends, description, due, end, entry, id, modified, parent, priority, project, recur, start
        case status, tags, until, urgency, uuid, wait
        case ownArchived = "pawkit_archived"
        /// The dependencies as they were read, with the series of each instance. It is stored, and not exported.
        case ownDepends = "pawkit_depends"
        case ownDue = "pawkit_due"
        /// The open instances of a series, the earliest first. They are stored, and exported as tasks.
        case ownInstances = "pawkit_instances"
        case ownList = "pawkit_list"
        case ownMonthDay = "pawkit_monthday"
        case ownParent = "pawkit_parent"
        case ownPriority = "pawkit_priority"
        case ownRecurrence = "pawkit_recurrence"
        case ownTime = "pawkit_time"
        case ownWait = "pawkit_wait"

        fileprivate static let all = allCases
        fileprivate static let names = JSONNames(all.map(\.rawValue))
    }

    /// The known attributes. They are few, so that a search takes less time than a hash.
    private(set) var known: [(attribute: Attribute, value: JSONValue)] = []
    /// Attributes of other programs, by name.
    var others: [String: JSONValue] = [:]

    /// Creates a task without attributes.
    init() { known.reserveCapacity(12) }

    /// Reads an object.
    ///
    /// - Throws: `JSONError`, also if two names are equal as Swift strings.
    init(reading reader: inout JSONReader) throws(JSONError) {
        self.init()
        try reader.readObject(expecting: Attribute.names) { name, reader throws(JSONError) in
            let start = reader.offset
            let value = try reader.readValue()
            switch name {
            case .expected(let place): known.append((Attribute.all[place], value))
            case .other(let name):
                guard others.updateValue(value, forKey: name) == nil else {
                    throw reader.error("the name of this member equals that of another", at: start)
                }
            }
        }
    }

    /// Creates a task with attributes by name.
    init(_ members: [String: JSONValue]) {
        self.init()
        for (name, value) in members {
            if let attribute = Attribute(rawValue: name) { self[attribute] = value } else { others[name] = value }
        }
    }

    /// Parses an object; `nil` if the text is not one.
    init?(parsing text: String) {
        let task = try? JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
            try TaskwarriorTask(reading: &reader)
        }
        guard let task else { return nil }
        self = task
    }

    /// The value of an attribute.
    subscript(attribute: Attribute) -> JSONValue? {
        get { index(of: attribute).map { known[$0].value } }
        set {
            let index = index(of: attribute)
            if let newValue, let index {
                known[index].value = newValue
            } else if let newValue {
                known.append((attribute, newValue))
            } else if let index {
                known.remove(at: index)
            }
        }
    }

    private func index(of attribute: Attribute) -> Int? {
        for index in known.indices where known[index].attribute == attribute { return index }
        return nil
    }

    /// Returns whether another task has the same known attributes, with the exception of some.
    func isSame(as other: TaskwarriorTask, besides exceptions: Set<Attribute>) -> Bool {
        func count(_ task: TaskwarriorTask) -> Int {
            task.known.indices.count { !exceptions.contains(task.known[$0].attribute) }
        }
        guard count(self) == count(other) else { return false }
        for index in known.indices where !exceptions.contains(known[index].attribute) {
            guard other[known[index].attribute] == known[index].value else { return false }
        }
        return true
    }

    /// Returns an attribute that is a text; `nil` if it is missing or another value.
    func text(_ attribute: Attribute) -> String? { self[attribute]?.text }

    /// All attributes by name.
    var members: [String: JSONValue] {
        var members = others
        for (attribute, value) in known { members[attribute.rawValue] = value }
        return members
    }
}

extension JSONValue {
    /// The string; `nil` for another value.
    var text: String? { if case .string(let text) = self { text } else { nil } }
}
