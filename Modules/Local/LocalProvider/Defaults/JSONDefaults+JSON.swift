public import EssentialFoundation
import JSONValues

/// Exchanging the values as plain JSON.
extension JSONDefaults {
    /// Returns all values as one JSON object, by identifier in the order of its bytes, one value a line.
    ///
    /// - Returns: UTF-8 with a line break at the end.
    /// - Throws: ``LocalError``.
    public func exportJSON() throws(LocalError) -> Data {
        let sorted = try pairs().sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        var text: [UInt8] = [UInt8(ascii: "{")]
        for (index, pair) in sorted.enumerated() {
            text += (index == 0 ? "\n" : ",\n").utf8
            text += JSONText.quoted(pair.key.text)
            text += ": ".utf8
            text += pair.value
        }
        text += (sorted.isEmpty ? "}\n" : "\n}\n").utf8
        return Data(text)
    }

    /// Stores each member of a JSON object as a value. If anything is invalid, nothing is changed.
    ///
    /// The text must be strictly JSON (RFC 8259), without trailing commas and comments. No object in it may have two
    /// members of the same name. A number that neither a 64-bit integer nor a `Double` holds, such as a `Decimal` of more
    /// digits that ``exportJSON()`` has written, is rounded to a `Double`.
    ///
    /// - Parameters:
    ///   - data: a JSON object in UTF-8.
    ///   - replaces: whether stored values that are not in it are removed.
    ///   - durability: what the change survives; `nil` for the store's default.
    /// - Throws: ``LocalError/invalidImport(line:column:detail:)`` if `data` is not such an object,
    ///   ``LocalError/invalidIdentifier(identifier:detail:)`` for a name that is not a valid identifier, and the errors of
    ///   writing.
    public func importJSON(
        _ data: Data,
        replacing replaces: Bool = false,
        durability: LocalDurability? = nil
    ) throws(LocalError) {
        let members: [(name: String, value: JSONValue)]
        do throws(JSONError) {
            members = try JSONValue.members(parsing: Array(data))
        } catch {
            throw .invalidImport(line: error.line, column: error.column, detail: error.message)
        }
        var operations: [JournalFormat.Operation] = []
        for (name, value) in members {
            let identifier = try LocalIdentifier(name)
            operations.append(JournalFormat.Operation(key: identifier, value: try codec.encode(value, identifier)))
        }
        try withExclusiveAccess(max(durability ?? options.durability, .written)) { journal throws(LocalError) in
            var changed = operations.filter { !journal.entries[$0.key].isSame(as: $0.value) }
            if replaces {
                let imported = Set(operations.map(\.key))
                for key in journal.entries.all.keys where !imported.contains(key) {
                    changed.append(JournalFormat.Operation(key: key, value: nil))
                }
            }
            try commitChanges(changed)
        }
    }
}
