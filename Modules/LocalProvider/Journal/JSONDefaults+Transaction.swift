extension JSONDefaults {
    /// Reads and changes several values as one: after a crash, and for other processes, all changes are there or none.
    ///
    /// No other thread or process can change anything meanwhile, so keep it short. The store itself cannot be used from
    /// within `body` (it throws ``LocalError/locked(path:)``); use the transaction.
    ///
    /// - Parameters:
    ///   - durability: what the changes are to survive; the store's own where it is `nil`.
    ///   - body: reads and changes values; nothing is changed where it throws.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and ``LocalError``.
    public func transaction<Result>(
        durability: LocalDurability? = nil,
        _ body: (inout Transaction) throws -> Result
    ) throws -> Result {
        try writing(durability) { journal in
            var transaction = Transaction(store: self, journal: journal)
            let result = try body(&transaction)
            return (transaction.operations, result)
        }
    }

    /// The values of a store as they are during ``JSONDefaults/transaction(durability:_:)``.
    public struct Transaction {
        private let store: JSONDefaults
        private let journal: Journal
        private var changed: [LocalIdentifier: [UInt8]?] = [:]

        fileprivate init(store: JSONDefaults, journal: Journal) {
            self.store = store
            self.journal = journal
        }

        fileprivate var operations: [JournalFormat.Operation] {
            changed.compactMap { key, value in
                (journal.entries[key]?.value).isSame(as: value) ? nil : JournalFormat.Operation(key: key, value: value)
            }
        }

        /// Reads a value, with the changes made so far; `nil` where there is none.
        public func value<Value: Codable & Sendable>(
            for identifier: String,
            as type: Value.Type = Value.self
        ) throws(LocalError) -> Value? {
            let identifier = try LocalIdentifier(identifier)
            let bytes: [UInt8]?
            if let value = changed[identifier] { bytes = value } else { bytes = journal.entries[identifier]?.value }
            guard let bytes else { return nil }
            return try store.decode(type, bytes, identifier)
        }

        /// All values whose identifier begins with `prefix`, with the changes made so far.
        public func values<Value: Codable & Sendable>(
            of type: Value.Type = Value.self,
            prefix: String
        ) throws(LocalError) -> [String: Value] {
            try store.decodeAll(type, present(prefix))
        }

        /// As ``JSONDefaults/values(prefix:reading:)``, with the changes made so far.
        package func values<Value: Codable & Sendable>(
            prefix: String,
            reading read: ([UInt8]) -> Value?
        ) throws(LocalError) -> [Value] {
            try store.readAll(present(prefix), read)
        }

        private func present(_ prefix: String) -> [(key: LocalIdentifier, value: [UInt8])] {
            var found: [(key: LocalIdentifier, value: [UInt8])] = []
            for (key, entry) in journal.entries where changed[key] == nil && key.text.utf8.starts(with: prefix.utf8) {
                found.append((key, entry.value))
            }
            for case (let key, .some(let value)) in changed where key.text.utf8.starts(with: prefix.utf8) {
                found.append((key, value))
            }
            return found
        }

        /// Sets a value; `nil` removes it.
        public mutating func set(_ value: (some Codable & Sendable)?, for identifier: String) throws(LocalError) {
            let identifier = try LocalIdentifier(identifier)
            let bytes = try value.map { value throws(LocalError) in try store.encode(value, identifier) }
            changed[identifier] = .some(bytes)
        }

        /// Removes a value; nothing happens where there is none.
        public mutating func remove(_ identifier: String) throws(LocalError) {
            changed[try LocalIdentifier(identifier)] = .some(nil)
        }
    }
}
