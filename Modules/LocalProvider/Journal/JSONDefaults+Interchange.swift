#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension JSONDefaults {
    /// All values as one JSON object, by identifier in the order of its bytes, with a line for each.
    ///
    /// - Returns: UTF-8 with a line break at the end; any JSON reader takes it.
    /// - Throws: ``LocalError``.
    public func exportJSON() throws(LocalError) -> Data {
        let found = try reading { journal throws(LocalError) in present(journal) }
        let sorted = found.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        var text = Data("{".utf8)
        for (index, entry) in sorted.enumerated() {
            text += Data((index == 0 ? "\n" : ",\n").utf8)
            text += try Data(encode(entry.key.text, entry.key))
            text += Data(": ".utf8)
            text += Data(entry.value)
        }
        text += Data((sorted.isEmpty ? "}\n" : "\n}\n").utf8)
        return text
    }

    /// Sets each member of a JSON object as a value, all at once or, where something is wrong, none.
    ///
    /// - Parameters:
    ///   - data: a JSON object in UTF-8.
    ///   - replaces: whether values that are not in it are removed.
    ///   - durability: what the change is to survive; the store's own where it is `nil`.
    /// - Throws: ``LocalError/undecodable(identifier:path:detail:)`` where `data` is no JSON object,
    ///   ``LocalError/invalidIdentifier(identifier:detail:)`` for a name that cannot be one, and what writing throws.
    public func importJSON(
        _ data: Data,
        replacing replaces: Bool = false,
        durability: LocalDurability? = nil
    ) throws(LocalError) {
        var operations: [JournalFormat.Operation] = []
        for (identifier, value) in try members(of: data) {
            operations.append(JournalFormat.Operation(key: identifier, value: try encode(value, identifier)))
        }
        try written(max(durability ?? options.durability, .written)) { journal in
            var changed = operations.filter { journal.entries[$0.key]?.value != $0.value }
            if replaces {
                let kept = Set(operations.map(\.key))
                for key in journal.entries.keys where !kept.contains(key) {
                    changed.append(JournalFormat.Operation(key: key, value: nil))
                }
            }
            return (changed, ())
        }
    }

    /// The members of a JSON object by the bytes of their names, which a dictionary does not tell apart.
    private func members(of data: Data) throws(LocalError) -> [LocalIdentifier: JSONValue] {
        do {
            let merged = try JSONDecoder().decode([String: JSONValue].self, from: data)
            var members: [LocalIdentifier: JSONValue] = [:]
            for (name, value) in merged { members[try LocalIdentifier(name)] = value }
            let parts = JSONMembers.split(Array(data))
            guard parts.count > merged.count else { return members }
            for part in parts {
                let name = try JSONDecoder().decode(String.self, from: Data(part.name))
                members[try LocalIdentifier(name)] = try JSONDecoder().decode(JSONValue.self, from: Data(part.value))
            }
            return members
        } catch let error as LocalError {
            throw error
        } catch {
            throw .undecodable(identifier: "", path: path, detail: CodingProblem.text(of: error))
        }
    }
}
