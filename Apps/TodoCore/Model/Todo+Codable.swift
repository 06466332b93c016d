import LocalProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Todo: Codable {
    /// The fields by name, in the order of the names.
    enum Field: String, CaseIterable {
        case completed, contexts, created, due, extras, id, isArchived, modified, note, priority, project, title
    }

    /// Any name, known or not.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init(_ field: Field) { stringValue = field.rawValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        id = try container.decode(TodoID.self, forKey: Name(.id))
        title = try container.decode(String.self, forKey: Name(.title))
        priority = try container.decodeIfPresent(Priority.self, forKey: Name(.priority))
        project = try container.decodeIfPresent(String.self, forKey: Name(.project))
        contexts = try container.decode([String].self, forKey: Name(.contexts))
        due = try container.decodeIfPresent(Day.self, forKey: Name(.due))
        note = try container.decodeIfPresent(String.self, forKey: Name(.note))
        created = try container.decode(Date.self, forKey: Name(.created))
        modified = try container.decode(Date.self, forKey: Name(.modified))
        completed = try container.decodeIfPresent(Date.self, forKey: Name(.completed))
        isArchived = try container.decode(Bool.self, forKey: Name(.isArchived))
        extras = try container.decode([String: String].self, forKey: Name(.extras))
        for name in container.allKeys where Field(rawValue: name.stringValue) == nil {
            unknownFields[name.stringValue] = try container.decode(JSONValue.self, forKey: name)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(id, forKey: Name(.id))
        try container.encode(title, forKey: Name(.title))
        try container.encodeIfPresent(priority, forKey: Name(.priority))
        try container.encodeIfPresent(project, forKey: Name(.project))
        try container.encode(contexts, forKey: Name(.contexts))
        try container.encodeIfPresent(due, forKey: Name(.due))
        try container.encodeIfPresent(note, forKey: Name(.note))
        try container.encode(created, forKey: Name(.created))
        try container.encode(modified, forKey: Name(.modified))
        try container.encodeIfPresent(completed, forKey: Name(.completed))
        try container.encode(isArchived, forKey: Name(.isArchived))
        try container.encode(extras, forKey: Name(.extras))
        for (name, value) in unknownFields { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}
