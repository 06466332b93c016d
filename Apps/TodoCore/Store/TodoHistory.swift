/// Where in the history of changes a store is: steps `start..<position` can be undone, `position..<end` redone.
struct TodoHistory: Codable, Sendable {
    var start = 0
    var position = 0
    var end = 0

    /// One change: the todos as they were before it or, once it is undone, as they were after it.
    struct Step: Sendable {
        /// A few words on the change.
        var summary: String
        /// The other state of each todo it touched; `nil` for none.
        var others: [TodoID: Todo?]
    }
}

extension TodoHistory.Step: Codable {
    /// One todo of a step; a dictionary of optionals would lose the difference between none and null.
    private struct Item: Codable {
        var id: TodoID
        var todo: Todo?
    }

    private enum CodingKeys: CodingKey {
        case summary, others
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        summary = try container.decode(String.self, forKey: .summary)
        let items = try container.decode([Item].self, forKey: .others)
        others = Dictionary(items.map { ($0.id, $0.todo) }) { $1 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(summary, forKey: .summary)
        let items = others.map { Item(id: $0.key, todo: $0.value) }
        try container.encode(items.sorted { $0.id.description < $1.id.description }, forKey: .others)
    }
}
