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

    /// Removes the files that crashes, repairs and migrations have left; the documents must have been removed before.
    func removeLeftovers() throws(LocalError) {
        let names = try system.list(path)
        for name in names where Self.isLeftover(name) { try system.remove(path + "/" + name) }
        for name in names where Self.isArchive(name) {
            // Files of others in it stay, and with them the folder.
            do { try removeArchive(path + "/" + name) } catch .io(_, _, SystemError.notEmpty) {}
        }
    }

    /// Returns whether a file name without its suffix is one that the store uses.
    static func isOwn(_ stem: String) -> Bool {
        SafeFileName.isHashed(stem) || SafeFileName.identifier(of: stem) != nil
    }

    private static func isLeftover(_ name: String) -> Bool {
        if name == schemaName + ".tmp" || name == schemaName + ".backup.tmp" { return true }
        return otherSuffixes.contains { name.hasSuffix($0) && isOwn(String(name.dropLast($0.count))) }
    }

    /// Returns whether a name is that of an archive: `.v1`, or `.v1.tmp` or `.v1.2`.
    private static func isArchive(_ name: String) -> Bool {
        guard name.hasPrefix(".v") else { return false }
        let parts = name.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
        guard Int(parts[0]) != nil else { return false }
        return parts.count == 1 || parts.count == 2 && (parts[1] == "tmp" || Int(parts[1]) != nil)
    }
}
