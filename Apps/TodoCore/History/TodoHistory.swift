import JSONValues

/// The position in the history of a store: steps `start..<position` can be undone, `position..<end` redone.
struct TodoHistory: Codable, Sendable {
    static let key = "history"

    var start = 0
    var position = 0
    var end = 0

    static func stepKey(_ number: Int) -> String { "\(key)/\(number)" }

    /// One change: the todos as they were before it or, after it was undone, as they were after it.
    struct Step: Sendable {
        /// A short description of the change.
        var summary: String
        /// A random text that identifies the change; `nil` for changes of earlier versions of the program.
        var mark: String?
        /// The time of the change; `nil` for changes of earlier versions.
        var date: Date?
        /// The process that made the change, such as `Dog[4711]`; `nil` for changes of earlier versions.
        var process: String?
        /// The other state of each todo; `nil` if the todo does not exist in it.
        var others: [TodoID: Todo?]
    }
}

extension TodoHistory.Step: Codable {
    /// One todo of a step. A dictionary of optionals would lose the difference between a missing value and `nil`.
    private struct Item: Codable {
        var id: TodoID
        var todo: Todo?
    }

    private enum CodingKeys: CodingKey { case summary, mark, date, process, others, absent }

    /// From this number on, the todos that do not exist in the other state are stored as IDs, which needs a third of the
    /// space: the step of an import is read with every later change.
    private static let compactCount = 100

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        summary = try container.decode(String.self, forKey: .summary)
        mark = try container.decodeIfPresent(String.self, forKey: .mark)
        date = try container.decodeIfPresent(Date.self, forKey: .date)
        process = try container.decodeIfPresent(String.self, forKey: .process)
        let items = try container.decode([Item].self, forKey: .others)
        others = Dictionary(items.map { ($0.id, $0.todo) }) { $1 }
        for id in try container.decodeIfPresent([TodoID].self, forKey: .absent) ?? [] { others[id] = .some(nil) }
    }

    func encode(to encoder: any Encoder) throws { try JSONValue(parsing: json).encode(to: encoder) }

    /// The JSON with sorted members.
    var json: [UInt8] {
        let ids = others.keys.sorted { $0.description < $1.description }
        let isCompact = ids.count >= Self.compactCount
        func isAbsent(_ id: TodoID) -> Bool { others[id] == .some(nil) }
        return JSONWriter.bytes { writer in
            writer.object { writer in
                if isCompact { writer.member("absent", ids.filter(isAbsent).map(\.description)) }
                writer.member("date", date?.timeIntervalSinceReferenceDate)
                writer.member("mark", mark)
                writer.member("others") { writer in
                    writer.array(isCompact ? ids.filter { !isAbsent($0) } : ids) { writer, id in
                        writer.object { writer in
                            writer.member("id", id.description)
                            if let todo = others[id] ?? nil { writer.member("todo") { $0.write(todo) } }
                        }
                    }
                }
                writer.member("process", process)
                writer.member("summary", summary)
            }
        }
    }
}
