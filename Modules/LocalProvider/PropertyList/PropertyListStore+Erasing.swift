extension PropertyListStore {
    /// What may follow a document's name: nothing of it but these, and the document itself, is ever in the folder.
    private static let suffixesBeside =
        [suffix + ".backup", suffix + ".damaged", nameSuffix].flatMap { [$0, $0 + ".tmp"] } + [suffix + ".tmp"]

    /// Removes a value with all its files; the lock is held.
    ///
    /// - Parameters:
    ///   - stem: the name that its files begin with.
    ///   - identifier: its identifier, where that is known.
    /// - Returns: whether there was a value.
    /// - Throws: ``LocalError``.
    @discardableResult
    func erase(_ stem: String, _ identifier: LocalIdentifier?) throws(LocalError) -> Bool {
        let path = path + "/" + stem
        // The backup first: a crash between must not bring back a value that was removed.
        for suffix in [".backup", ".damaged", ".tmp"] { try system.remove(path + Self.suffix + suffix) }
        guard try system.remove(path + Self.suffix) else { return false }
        if SafeFileName.isHashed(stem) { try system.remove(path + Self.nameSuffix) }
        if let identifier { changed(identifier, path + Self.suffix, .removed) }
        return true
    }

    /// Removes every value and everything that is left of earlier ones; the lock is held.
    func eraseAll(_ durability: LocalDurability?) throws(LocalError) {
        let names = try system.list(path)
        for name in names where name.hasSuffix(Self.suffix) {
            let stem = String(name.dropLast(Self.suffix.count))
            guard Self.isOurs(stem) else { continue }
            try erase(stem, try readableIdentifier(ofFile: name))
        }
        for name in names where Self.isLeftBehind(name) { try system.remove(path + "/" + name) }
        for name in names where Self.isOldFolder(name) {
            // What is not ours in it stays, and with it the folder.
            do { try removeOld(path + "/" + name) } catch .io(_, _, SystemFailure.notEmpty) {}
        }
        try synchroniseNames(durability)
    }

    /// As ``identifier(ofFile:)``, with `nil` for one that is damaged.
    private func readableIdentifier(ofFile name: String) throws(LocalError) -> LocalIdentifier? {
        do {
            return try identifier(ofFile: name).map(LocalIdentifier.init(unchecked:))
        } catch .corrupt {
            return nil
        }
    }

    private static func isOurs(_ stem: String) -> Bool {
        SafeFileName.isHashed(stem) || SafeFileName.identifier(of: stem) != nil
    }

    private static func isLeftBehind(_ name: String) -> Bool {
        if name == ".schema.tmp" || name == ".schema.backup.tmp" { return true }
        return suffixesBeside.contains { name.hasSuffix($0) && isOurs(String(name.dropLast($0.count))) }
    }

    /// Whether a name is one that a migration gives to the old documents: `.v1`, and `.v1.tmp` or `.v1.2` beside it.
    private static func isOldFolder(_ name: String) -> Bool {
        guard name.hasPrefix(".v") else { return false }
        let parts = name.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
        guard Int(parts[0]) != nil else { return false }
        return parts.count == 1 || parts.count == 2 && (parts[1] == "tmp" || Int(parts[1]) != nil)
    }
}
