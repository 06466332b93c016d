extension JSONDefaults {
    /// Reads and changes several values as one step: after a crash, and for other processes, all changes are there or none.
    ///
    /// No other thread or process can change anything until `body` returns, so that it should be short. The store itself cannot be
    /// used inside `body` (it throws ``LocalError/locked(path:)``); use the transaction.
    ///
    /// - Parameters:
    ///   - durability: what the changes survive; `nil` for the store's default.
    ///   - body: reads and changes values. Nothing is changed if it throws.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, and ``LocalError``.
    public func transaction<Result>(
        durability: LocalDurability? = nil,
        _ body: (inout Transaction) throws -> Result
    ) throws -> Result {
        try withExclusiveAccess(
            durability,
            throwing: { journal in
                var transaction = Transaction(codec: codec, entries: journal.entries)
                let result = try body(&transaction)
                try commitChanges(transaction.operations)
                return result
            }
        )
    }

    /// Reads several values as one state. Nothing is written, and no other process is waited for.
    package func reading<Result>(_ body: (Transaction) throws(LocalError) -> Result) throws(LocalError) -> Result {
        try withSharedAccess { journal throws(LocalError) in
            try body(Transaction(codec: codec, entries: journal.entries, changes: deferred))
        }
    }

    /// The values of a store during ``JSONDefaults/transaction(durability:_:)``, with the changes made so far.
    public struct Transaction {
        private let codec: JSONCodec
        private let entries: JournalEntries
        private var changes: DeferredChanges

        fileprivate init(codec: JSONCodec, entries: JournalEntries, changes: DeferredChanges = DeferredChanges()) {
            (self.codec, self.entries, self.changes) = (codec, entries, changes)
        }

        fileprivate var operations: [JournalFormat.Operation] { changes.operations(on: entries) }

        /// Prepares for many changes.
        package mutating func reserve(_ count: Int) { changes.reserve(count) }

        /// Reads a value; returns `nil` if none is stored.
        public func value<Value: Codable & Sendable>(
            for identifier: String,
            as type: Value.Type = Value.self
        ) throws(LocalError) -> Value? {
            let identifier = try LocalIdentifier(identifier)
            guard let bytes = changes.value(for: identifier, in: entries) else { return nil }
            return try codec.decode(type, bytes, identifier)
        }

        /// Returns the values whose identifiers begin with `prefix`, by identifier.
        public func values<Value: Codable & Sendable>(
            of type: Value.Type = Value.self,
            prefix: String
        ) throws(LocalError) -> [String: Value] {
            try codec.decodeAll(type, changes.pairs(in: entries, prefix: prefix))
        }

        /// Returns values as ``JSONDefaults/values(prefix:reading:)``.
        package func values<Value: Codable & Sendable>(
            prefix: String,
            reading read: ([UInt8]) -> Value?
        ) throws(LocalError) -> [Value] {
            try codec.readAll(changes.pairs(in: entries, prefix: prefix), read)
        }

        /// Returns values and errors as ``JSONDefaults/readableValues(prefix:reading:)``.
        package func readableValues<Value: Codable & Sendable>(
            prefix: String,
            reading read: ([UInt8]) -> Value?
        ) -> (values: [Value], failures: [String: LocalError]) {
            codec.readReadable(changes.pairs(in: entries, prefix: prefix), read)
        }

        /// Returns the JSON of the values whose identifiers begin with `prefix`, in no particular order.
        package func json(prefix: String) -> [(identifier: String, json: [UInt8])] {
            changes.pairs(in: entries, prefix: prefix).map { ($0.key.text, $0.value) }
        }

        /// Sets a value; `nil` removes it.
        public mutating func set(_ value: (some Codable & Sendable)?, for identifier: String) throws(LocalError) {
            let identifier = try LocalIdentifier(identifier)
            let bytes = try value.map { value throws(LocalError) in try codec.encode(value, identifier) }
            changes.set(bytes, for: identifier)
        }

        /// Sets a value whose JSON the caller has written, which must be valid.
        package mutating func set(json: [UInt8], for identifier: String) throws(LocalError) {
            changes.set(json, for: try LocalIdentifier(identifier))
        }

        /// Removes a value; does nothing if none is stored.
        public mutating func remove(_ identifier: String) throws(LocalError) {
            changes.set(nil, for: try LocalIdentifier(identifier))
        }
    }
}
