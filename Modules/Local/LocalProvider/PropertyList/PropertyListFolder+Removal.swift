import SystemCalls

/// Removing documents and the other files of the store.
extension PropertyListFolder {
    /// The suffixes of the files of a document, except the document itself.
    private static let otherSuffixes =
        [documentSuffix + ".backup", documentSuffix + ".damaged", nameSuffix].flatMap { [$0, $0 + ".tmp"] }
        + [documentSuffix + ".tmp"]

    /// Removes a document with all its files.
    ///
    /// - Parameter stem: the beginning of their names.
    /// - Returns: whether the document existed.
    /// - Throws: ``LocalError``.
    func removeDocument(_ stem: String) throws(LocalError) -> Bool {
        let path = path + "/" + stem
        // The backup first: a crash in between must not bring back a removed value.
        for suffix in [".backup", ".damaged", ".tmp"] { try system.remove(path + Self.documentSuffix + suffix) }
        guard try system.remove(path + Self.documentSuffix) else { return false }
        if SafeFileName.isHashed(stem) { try system.remove(path + Self.nameSuffix) }
        return true
    }

    /// Removes the files that crashes, repairs and migrations have left, but not the backups and names of present documents.
    func removeLeftovers() throws(LocalError) {
        let names = try system.list(path)
        let documents = Set(names.filter { $0.hasSuffix(Self.documentSuffix) })
        for name in names where Self.isLeftover(name, documents) { try system.remove(path + "/" + name) }
        for name in names where Self.isArchive(name) {
            // Files of others in it stay, and with them the folder.
            do { try removeArchive(path + "/" + name) } catch .io(_, _, SystemError.notEmpty) {}
        }
    }

    /// Returns whether a file name without its suffix is one that the store uses.
    static func isOwn(_ stem: String) -> Bool {
        SafeFileName.isHashed(stem) || SafeFileName.identifier(of: stem) != nil
    }

    private static func isLeftover(_ name: String, _ documents: Set<String>) -> Bool {
        if name == schemaName + ".tmp" || name == schemaName + ".backup.tmp" { return true }
        return otherSuffixes.contains { suffix in
            let stem = String(name.dropLast(suffix.count))
            guard name.hasSuffix(suffix), isOwn(stem) else { return false }
            let isOfDocument = suffix == nameSuffix || suffix == documentSuffix + ".backup"
            return !isOfDocument || !documents.contains(stem + documentSuffix)
        }
    }

    /// Returns whether a name is that of an archive: `.v1`, or `.v1.tmp` or `.v1.2`.
    private static func isArchive(_ name: String) -> Bool {
        guard name.hasPrefix(".v") else { return false }
        let parts = name.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
        guard Int(parts[0]) != nil else { return false }
        return parts.count == 1 || parts.count == 2 && (parts[1] == "tmp" || Int(parts[1]) != nil)
    }
}
