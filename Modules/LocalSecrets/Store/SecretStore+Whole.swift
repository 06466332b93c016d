public import LocalProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SecretStore {
    /// All secrets of a store whose identifier begins with `prefix`, by identifier.
    ///
    /// - Parameters:
    ///   - type: what they are, all of them.
    ///   - kind: the store.
    ///   - prefix: how their identifiers begin; empty for all.
    /// - Returns: the secrets.
    /// - Throws: ``SecretError`` for the first that cannot be opened.
    public func all<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        in kind: LocalStoreKind,
        prefix: String = ""
    ) throws(SecretError) -> [String: Value] {
        let found = try SecretError.wrapping { () throws(LocalError) in
            try provider.all(SealedValue.self, in: kind, prefix: Self.prefix + prefix)
        }
        var result: [String: Value] = [:]
        for (name, sealed) in found {
            // The store has seen to it that no two of them are equal for a dictionary.
            let identifier = Self.plain(name)
            result[identifier] = try open(type, sealed, identifier, kind)
        }
        return result
    }

    /// The identifiers of all secrets of a store, in no particular order.
    ///
    /// - Throws: ``SecretError/store(_:)``.
    public func identifiers(in kind: LocalStoreKind) throws(SecretError) -> [String] {
        let names = try SecretError.wrapping { () throws(LocalError) in try provider.identifiers(in: kind) }
        return names.filter { $0.utf8.starts(with: Self.prefix.utf8) }.map(Self.plain)
    }

    /// How many secrets a store has.
    ///
    /// - Throws: ``SecretError/store(_:)``.
    public func count(in kind: LocalStoreKind) throws(SecretError) -> Int {
        try identifiers(in: kind).count
    }

    /// Removes all secrets of a store, and what is left of earlier ones.
    ///
    /// - Throws: ``SecretError/store(_:)``.
    public func removeAll(in kind: LocalStoreKind, durability: LocalDurability? = nil) throws(SecretError) {
        for name in try identifiers(in: kind) {
            let identifier = try identifier(name)
            _ = try SecretError.wrapping { () throws(LocalError) in
                try provider.store(kind).remove(identifier, durability: durability)
            }
        }
        try forgetOld(in: kind)
    }

    /// Every change of a secret of a store from now on, with who made it.
    public func changes(in kind: LocalStoreKind) -> AsyncStream<LocalChange> {
        let changes = provider.changes(in: kind)
        let (stream, continuation) = AsyncStream.makeStream(of: LocalChange.self)
        let task = Task {
            for await change in changes where change.identifier.utf8.starts(with: Self.prefix.utf8) {
                let identifier = Self.plain(change.identifier)
                continuation.yield(
                    LocalChange(store: kind, identifier: identifier, kind: change.kind, origin: change.origin)
                )
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Seals everything anew that is sealed with a former key, and takes away what is left of its old bytes.
    ///
    /// Each secret is replaced as one step. Where a crash comes between, some are sealed with the new key and some with
    /// the former one, and both can be read; call it again. Afterwards the former keys open nothing that is kept here, but for
    /// files set aside: damaged ones, and those from before a migration.
    ///
    /// - Returns: how many were sealed anew.
    /// - Throws: ``SecretError`` for the first that cannot be opened; those before it are done.
    @discardableResult
    public func reseal() throws(SecretError) -> Int {
        var count = 0
        for kind in LocalStoreKind.allCases {
            let names = try identifiers(in: kind)
            for name in names where try reseal(name, kind) { count += 1 }
            // Even where nothing was left to seal: an earlier call may have been cut short.
            if !names.isEmpty { try forgetOld(in: kind) }
        }
        return count
    }

    private func reseal(_ name: String, _ kind: LocalStoreKind) throws(SecretError) -> Bool {
        let identifier = try identifier(name)
        do {
            return try provider.store(kind).update(identifier, as: SealedValue.self, durability: nil) { value in
                guard let old = value, old.keyTag != key.tag else { return false }
                value = try open(old, name, kind) { plain throws(SecretError) in
                    plain.withUnsafeBytes { sealed($0, name, kind) }
                }
                return true
            }
        } catch let error as SecretError {
            throw error
        } catch let error as LocalError {
            throw .store(error)
        } catch {
            throw .tampered(identifier: name)
        }
    }

    /// Values that have been replaced or removed stay in a journal until it is compacted, and in backups.
    private func forgetOld(in kind: LocalStoreKind) throws(SecretError) {
        try SecretError.wrapping { () throws(LocalError) in
            switch kind {
            case .defaults: try provider.defaults.compactNow(keepsBackup: false)
            case .propertyList: try provider.propertyLists.forgetReplaced()
            case .memory: break
            }
        }
    }

    private static func plain(_ identifier: String) -> String {
        String(decoding: identifier.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}
