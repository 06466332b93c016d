/// A value under `todo/` in the journal of recent changes: a todo, the removal of a todo that the second journal contains,
/// or the mark that connects the two journals.
enum TodoSlot: Sendable {
    case todo(Todo)
    case removed(TodoID)
    /// A random text that both journals contain; see ``TodoBase``.
    case base(String)

    /// The identifier of the mark. A program without a second journal lists it as a todo that a newer program can read.
    static let baseKey = "todo/base"

    private static let removal = Array("{\"removed\":".utf8)
    private static let mark = Array("{\"base\":".utf8)

    /// Whether the JSON of a value is the removal of a todo.
    static func isRemoval(_ json: [UInt8]) -> Bool { json.starts(with: removal) }

    /// Parses the JSON of a todo quickly; `nil` for all others, which the decoder decodes.
    static func read(_ bytes: [UInt8]) -> TodoSlot? {
        if isRemoval(bytes) || bytes.starts(with: mark) { return nil }
        return bytes.withUnsafeBytes { Todo.parse($0) }.map(TodoSlot.todo)
    }
}

extension TodoSlot: Codable {
    private enum Key: String, CodingKey { case removed, base }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let id = try container.decodeIfPresent(TodoID.self, forKey: .removed) {
            self = .removed(id)
        } else if let mark = try container.decodeIfPresent(String.self, forKey: .base) {
            self = .base(mark)
        } else {
            self = .todo(try Todo(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .todo(let todo): try todo.encode(to: encoder)
        case .removed(let id):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(id, forKey: .removed)
        case .base(let mark):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(mark, forKey: .base)
        }
    }
}
