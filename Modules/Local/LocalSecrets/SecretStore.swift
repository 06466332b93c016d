import EssentialFoundation
public import LocalProvider
import TextEscaping

/// A store that encrypts its values and stores them in another store.
///
/// ```swift
/// let token = LocalKey("token", of: String.self, in: .defaults)
/// let secrets = provider.sealed(with: try SecretKey.file(keyPath))
/// try secrets.set(token, to: "3f9a-c2d1")
/// let present = try secrets.read(token)
/// ```
///
/// `LocalProvider.sealed(with:formerKeys:context:)` returns a provider whose stores are sealed; its suspending calls, `Stored`
/// and observation work as for every provider. Use the type itself to seal a single store.
///
/// A value is bound to its identifier, the kind of its store and the context: if it is moved to another place, reading it
/// throws ``SecretError/tampered(identifier:)``. It is not bound to the folder, which can be moved or restored: if several
/// stores of one kind share a key, use a separate context for each. Whoever can read the files can see the identifiers and lengths. An
/// older sealed value of the same place is not distinguished from the current one.
///
/// In the other store, the value for `token` has the identifier `sealed.token`: do not use identifiers with this beginning
/// there.
public struct SecretStore: LocalStore {
    /// The beginning of the identifiers of sealed values in the other store, reserved for them.
    public static let prefix = "sealed."

    /// The store of the sealed values.
    public let base: any LocalStore
    /// The key that seals.
    public let key: SecretKey
    /// The kind by which keys refer to the store.
    public let kind: LocalStoreKind

    private let keys: [SecretKey]
    private let context: String

    /// Creates a store of sealed values. Nothing is read or written.
    ///
    /// - Parameters:
    ///   - base: the store of the sealed values.
    ///   - key: seals values, and opens the values that it has sealed.
    ///   - formerKeys: open what they have sealed, until ``reseal()`` has replaced it.
    ///   - context: what the values are bound to besides their place: a name of the program or the store, if several share a
    ///     key.
    ///   - kind: the kind by which keys refer to the store; `nil` for that of `base`.
    public init(
        over base: any LocalStore,
        key: SecretKey,
        formerKeys: [SecretKey] = [],
        context: String = "",
        kind: LocalStoreKind? = nil
    ) {
        (self.base, self.key, self.context) = (base, key, context)
        self.kind = kind ?? base.kind
        keys = [key] + formerKeys
    }

    /// The path of the other store.
    public var path: String { base.path }
    /// Whether the other store can block.
    public var mayBlock: Bool { base.mayBlock }
    /// The damage that the other store has found and repaired.
    public var recoveries: [LocalRecovery] { base.recoveries }

    // MARK: Values

    /// Reads and opens a value; returns `nil` if none is stored.
    ///
    /// - Throws: ``SecretError/wrongKey(identifier:key:)`` and ``SecretError/tampered(identifier:)`` as
    ///   `LocalError.storeFailure`, and the errors of the other store.
    public func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value? {
        guard let sealed = try base.value(for: sealedIdentifier(identifier), as: SealedValue.self) else { return nil }
        return try open(type, sealed, identifier.text)
    }

    /// Seals and writes a value.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError) {
        let sealed = try seal(value, identifier.text)
        try base.set(sealed, for: sealedIdentifier(identifier), rule: rule, durability: durability)
    }

    /// Reads a value, changes it with `body` and writes it, as one step for all threads and processes.
    public func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        let inner = try sealedIdentifier(identifier)
        return try base.update(inner, as: SealedValue.self, durability: durability) { sealed in
            var value = try sealed.map { try open(type, $0, identifier.text) }
            let result = try body(&value)
            sealed = try value.map { try seal($0, identifier.text) }
            return result
        }
    }

    /// Removes a value; returns whether one was stored. Its sealed bytes may stay in files until ``purge()`` or two
    /// compactions.
    public func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        try base.remove(sealedIdentifier(identifier), durability: durability)
    }

    /// Returns whether a value is stored; it need not be possible to open it.
    public func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        try base.contains(sealedIdentifier(identifier))
    }

    /// Returns the identifiers of the sealed values, in no particular order.
    public func identifiers() throws(LocalError) -> [String] {
        try base.identifiers().compactMap(Self.plainIdentifier)
    }

    /// Returns the values whose identifiers begin with the prefix, by identifier; throws the error of one that
    /// cannot be opened.
    public func values<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> [String: Value] {
        let found = try readableValues(of: type, prefix: prefix)
        if let error = found.failures.values.first { throw error }
        return found.values
    }

    /// Returns the values whose identifiers begin with the prefix, and an error for each that cannot be opened.
    public func readableValues<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> LocalValues<Value> {
        let found = try base.readableValues(of: SealedValue.self, prefix: Self.prefix + prefix)
        var result = LocalValues<Value>()
        for (name, error) in found.failures {
            if let identifier = Self.plainIdentifier(name) { result.failures[identifier] = error }
        }
        for (name, sealed) in found.values {
            guard let identifier = Self.plainIdentifier(name) else { continue }
            result.add(identifier) { () throws(LocalError) in try open(type, sealed, identifier) }
        }
        return result
    }

    /// Removes all sealed values, and their bytes from all files, as ``purge()``; other values of the other store stay.
    public func removeAll(durability: LocalDurability?) throws(LocalError) {
        for name in try identifiers() { _ = try remove(LocalIdentifier(name), durability: durability) }
        try purge()
    }

    /// Writes the deferred changes of the other store, and returns when all changes are on the disk.
    public func flush() throws(LocalError) { try base.flush() }

    /// Removes the bytes of replaced and removed values from the files of the other store, with those that were set aside and
    /// the archives of its migrations.
    public func purge() throws(LocalError) { try base.purge() }

    /// Migrates the other store. Its migrations see sealed values.
    public func migrate() throws(LocalError) -> LocalMigrationReport? { try base.migrate() }

    /// Returns the migration plan of the other store.
    public func migrationPlan() throws(LocalError) -> LocalMigrationReport? { try base.migrationPlan() }

    /// Returns a new stream of every change of a sealed value from now on.
    public func changes() -> AsyncStream<LocalChange> {
        let kind = kind
        return base.changes().forwarded { change in
            guard let identifier = Self.plainIdentifier(change.identifier) else { return nil }
            return LocalChange(store: kind, identifier: identifier, kind: change.kind, origin: change.origin)
        }
    }

    // MARK: Keys

    /// Seals every value again that is sealed with a former key, and removes the old bytes as ``purge()``.
    ///
    /// Each value is replaced as one step. After a crash in between, some are sealed with the new key and some with the former
    /// one, and both can be read; call it again. Afterwards the former keys open nothing in the files of the store. The other
    /// store keeps no archive of a migration then, with which an older program could be used again.
    ///
    /// - Returns: the number of values that were sealed again.
    /// - Throws: the error of the first value that cannot be opened; those before it are done.
    @discardableResult
    public func reseal() throws(LocalError) -> Int {
        var count = 0
        for name in try identifiers() where try reseal(LocalIdentifier(name)) { count += 1 }
        // Also if nothing was sealed again: an earlier call may have been interrupted, and removed values have bytes, too.
        try purge()
        return count
    }

    private func reseal(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        let inner = try sealedIdentifier(identifier)
        do {
            return try base.update(inner, as: SealedValue.self, durability: nil) { value in
                guard let old = value, old.keyTag != key.tag else { return false }
                value = try open(old, identifier.text) { plain throws(LocalError) in
                    plain.withUnsafeBytes { sealed($0, identifier.text) }
                }
                return true
            }
        } catch let error as LocalError {
            throw error
        } catch {
            throw .secret(.tampered(identifier: identifier.text))
        }
    }

    // MARK: Sealing

    private func sealedIdentifier(_ identifier: LocalIdentifier) throws(LocalError) -> LocalIdentifier {
        let limit = LocalIdentifier.lengthLimit - Self.prefix.utf8.count
        guard identifier.text.utf8.count <= limit else {
            throw .invalidIdentifier(identifier: identifier.text, detail: "that of a secret has at most \(limit) bytes")
        }
        return try LocalIdentifier(Self.prefix + identifier.text)
    }

    private static func plainIdentifier(_ name: String) -> String? {
        // The prefix alone is the identifier of a value that was not sealed.
        guard name.utf8.starts(with: prefix.utf8), name.utf8.count > prefix.utf8.count else { return nil }
        return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Seals the JSON of a value.
    private func seal<Value: Encodable>(_ value: Value, _ identifier: String) throws(LocalError) -> SealedValue {
        let encoder = JSONEncoder()
        // Equal values have equal bytes.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Not the error of the encoder, which may quote the value.
        var plain = (try? encoder.encode(value)) ?? Data()
        defer { plain.withUnsafeMutableBytes { Sealing.wipe($0) } }
        guard !plain.isEmpty, !plain.withUnsafeBytes(JSONText.hasNaN) else {
            throw .unencodable(identifier: identifier, path: path, detail: "a \(Value.self) has no form in JSON")
        }
        return plain.withUnsafeBytes { sealed($0, identifier) }
    }

    private func sealed(_ plain: UnsafeRawBufferPointer, _ identifier: String) -> SealedValue {
        SealedValue(sealed: Sealing.seal(plain, key, place(identifier)))
    }

    /// Opens a value with the key that it names, and calls `body` with its JSON.
    private func open<Result>(
        _ value: SealedValue,
        _ identifier: String,
        _ body: (Data) throws(LocalError) -> Result
    ) throws(LocalError) -> Result {
        guard let version = value.version, let tag = value.keyTag else {
            throw .secret(.tampered(identifier: identifier))
        }
        guard version <= SealedValue.version else {
            // If the rest is a value of this version, only the byte with the version was changed.
            let bytes = [SealedValue.version] + value.sealed.dropFirst()
            for key in keys where key.tag == tag {
                guard var plain = Sealing.open(bytes, key, place(identifier)) else { continue }
                plain.withUnsafeMutableBytes { Sealing.wipe($0) }
                throw .secret(.tampered(identifier: identifier))
            }
            throw .newerVersion(path: path, found: Int(version), supported: Int(SealedValue.version))
        }
        guard let key = keys.first(where: { $0.tag == tag }) else {
            throw .secret(.wrongKey(identifier: identifier, key: Hexadecimal.string(of: tag)))
        }
        guard var bytes = Sealing.open(Array(value.sealed), key, place(identifier)) else {
            throw .secret(.tampered(identifier: identifier))
        }
        var plain = Data(bytes)
        bytes.withUnsafeMutableBytes { Sealing.wipe($0) }
        defer { plain.withUnsafeMutableBytes { Sealing.wipe($0) } }
        return try body(plain)
    }

    private func open<Value: Decodable>(
        _ type: Value.Type,
        _ value: SealedValue,
        _ identifier: String
    ) throws(LocalError) -> Value {
        try open(value, identifier) { plain throws(LocalError) in
            // Not the error of the decoder, which may quote the value.
            guard let value = try? JSONDecoder().decode(type, from: plain) else {
                throw .undecodable(identifier: identifier, path: path, detail: "the secret is not a \(type)")
            }
            return value
        }
    }

    /// Returns what a value is bound to: each part with its length, so that no two places have the same bytes.
    private func place(_ identifier: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in ["PawKit sealed value", base.kind.rawValue, context, identifier] {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { bytes += $0 }
            bytes += part.utf8
        }
        return bytes
    }
}

extension LocalProvider {
    /// Returns a provider that seals the values of every call with a key, in each store; see ``SecretStore``.
    ///
    /// Its properties `defaults`, `propertyLists` and `memory` are the unsealed stores: a call of them, such as
    /// `secrets.defaults.transaction(_:)`, writes plain text. Secrets have no transaction.
    ///
    /// The values that this provider stores without sealing stay as they are, and the sealing provider does not see them.
    ///
    /// - Parameters:
    ///   - key: seals values, and opens what it has sealed.
    ///   - formerKeys: open what they have sealed, until `reseal()` has replaced it.
    ///   - context: what the values are bound to besides their place: the name of the program, if several share a key.
    /// - Returns: the sealing provider; this one is unchanged.
    public func sealed(with key: SecretKey, formerKeys: [SecretKey] = [], context: String = "") -> LocalProvider {
        stores.reduce(self) { provider, store in
            provider.adding(SecretStore(over: store, key: key, formerKeys: formerKeys, context: context))
        }
    }

    /// Seals every value again that is sealed with a former key, in each ``SecretStore`` of the provider.
    ///
    /// - Returns: the number of values that were sealed again.
    /// - Throws: as ``SecretStore/reseal()``.
    @discardableResult
    public func reseal() throws(LocalError) -> Int {
        var count = 0
        for case let store as SecretStore in stores { count += try store.reseal() }
        return count
    }
}

extension AsyncLocalProvider {
    /// Calls `LocalProvider.reseal()` without blocking.
    @discardableResult
    public func reseal() async throws(LocalError) -> Int {
        try await run(true) { provider throws(LocalError) in try provider.reseal() }
    }
}
