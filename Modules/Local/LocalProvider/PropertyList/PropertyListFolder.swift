import SystemCalls

/// The files of a property list store.
///
/// Each document is in its own file and is replaced by a rename: at any time, the file has the old or the new content. For an
/// identifier that is too long for a file name, a second file holds the identifier; it exists whenever the document does.
/// Methods that write require the lock of the store.
struct PropertyListFolder: Sendable {
    static let documentSuffix = ".plist"
    static let nameSuffix = ".name"
    static let schemaName = ".schema"

    let path: String
    let system: FileSystem

    // MARK: Names

    /// Returns the path of the document for an identifier, whether or not it exists.
    func documentPath(for identifier: LocalIdentifier) -> String {
        path + "/" + SafeFileName.name(for: identifier.text) + Self.documentSuffix
    }

    /// Returns the file names of all documents.
    func documentNames() throws(LocalError) -> [String] {
        try system.list(path).filter { $0.hasSuffix(Self.documentSuffix) }
    }

    /// Returns the identifiers of all documents.
    func identifiers() throws(LocalError) -> [String] {
        var identifiers: [String] = []
        for name in try documentNames() {
            if let identifier = try identifier(ofDocument: name) { identifiers.append(identifier) }
        }
        return identifiers
    }

    /// Returns the identifier of a document by its file name; `nil` for a file that has no identifier's name, and for a
    /// document that was removed.
    ///
    /// - Throws: ``LocalError/corrupt(path:detail:)`` if the file with the identifier is damaged or missing, and the errors of
    ///   reading it. A document without a readable identifier must not look like one that does not exist.
    func identifier(ofDocument name: String) throws(LocalError) -> String? {
        let stem = String(name.dropLast(Self.documentSuffix.count))
        guard SafeFileName.isHashed(stem) else { return SafeFileName.identifier(of: stem) }
        let path = path + "/" + stem
        if let identifier = try storedIdentifier(stem) { return identifier }
        // The document may have been removed and stored again since: its identifier exists before and after it.
        guard try system.outline(of: path + Self.documentSuffix) != nil else { return nil }
        if let identifier = try storedIdentifier(stem) { return identifier }
        let detail = "it does not hold the identifier of its document; setting that value writes it again"
        throw .corrupt(path: path + Self.nameSuffix, detail: detail)
    }

    /// Writes the file with the identifier, if the document's name cannot hold it and it is missing or damaged.
    func storeIdentifier(_ identifier: LocalIdentifier) throws(LocalError) {
        let stem = SafeFileName.name(for: identifier.text)
        guard SafeFileName.isHashed(stem), try storedIdentifier(stem) == nil else { return }
        try replace(path + "/" + stem + Self.nameSuffix, with: Array(identifier.text.utf8), durability: .synced)
    }

    private func storedIdentifier(_ stem: String) throws(LocalError) -> String? {
        guard let bytes = try system.contents(of: path + "/" + stem + Self.nameSuffix),
            let identifier = String(validating: bytes, as: UTF8.self), SafeFileName.name(for: identifier) == stem
        else { return nil }
        return identifier
    }

    // MARK: Contents

    /// The content of a file, and whether it can be trusted.
    enum Contents {
        case absent
        /// The checksum is right; the bytes without it.
        case sealed([UInt8])
        /// A property list of another program, without a checksum.
        case unsealed(PropertyListValue)
        /// Neither; the reason.
        case damaged(String)

        var isIntact: Bool {
            switch self {
            case .sealed, .unsealed: true
            case .absent, .damaged: false
            }
        }
    }

    func contents(_ path: String) throws(LocalError) -> Contents {
        try system.contents(of: path).map(Self.contents(of:)) ?? .absent
    }

    /// Returns the content of a file with these bytes.
    static func contents(of bytes: consuming [UInt8]) -> Contents {
        let isBinary = bytes.starts(with: BinaryPropertyListReader.magic)
        switch PropertyListSeal.check(bytes) {
        case .whole(let plain): return .sealed(plain)
        case .broken where isBinary: return .damaged("its checksum is wrong")
        // An edit by hand cannot be distinguished from damage.
        case .broken: return .damaged("its checksum is wrong; if it was edited by hand, delete its last line")
        case .unsealed(let bytes):
            do { return .unsealed(try PropertyListValue(reading: bytes)) } catch { return .damaged(error.description) }
        }
    }

    /// Returns the content of a document, or that of its backup if the document is damaged. Nothing is repaired.
    func contentsOrBackup(_ path: String) throws(LocalError) -> Contents {
        let contents = try contents(path)
        guard case .damaged(let detail) = contents else { return contents }
        let backup = try self.contents(path + ".backup")
        guard backup.isIntact else { throw .corrupt(path: path, detail: detail) }
        return backup
    }

    /// Returns the tree of a file's content, or `nil` if the file does not exist.
    func tree(_ contents: Contents, _ path: String) throws(LocalError) -> PropertyListValue? {
        switch contents {
        case .absent: return nil
        case .unsealed(let tree): return tree
        case .damaged(let detail): throw .corrupt(path: path, detail: detail)
        case .sealed(let bytes):
            do { return try PropertyListValue(reading: bytes, isLimited: false) } catch {
                throw .corrupt(path: path, detail: error.description)
            }
        }
    }

    // MARK: Writing

    /// Replaces a file.
    ///
    /// The bytes are durable before the file gets its name, whatever the durability: otherwise a loss of power could destroy
    /// the document and, after two such writes, its backup.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - bytes: its new content.
    ///   - durability: what the new content survives.
    ///   - isIntact: whether the present document is intact and becomes the backup; a damaged one is set aside, since it must
    ///     not replace an intact backup. `nil` if it is not preserved.
    /// - Throws: ``LocalError``.
    func replace(
        _ path: String,
        with bytes: [UInt8],
        durability: LocalDurability,
        preserving isIntact: Bool? = nil
    ) throws(LocalError) {
        let temporary = path + ".tmp"
        try system.remove(temporary)
        do {
            try create(temporary, with: bytes)
            // Not before: without space for the new content, the document would be its own backup.
            if let isIntact { try system.duplicate(path, as: path + (isIntact ? ".backup" : ".damaged")) }
            try system.rename(temporary, to: path)
        } catch {
            _ = try? system.remove(temporary)
            throw error
        }
        if durability == .synced { try system.synchroniseFolder(self.path) }
    }

    /// Creates a file with durable content.
    func create(_ path: String, with bytes: [UInt8]) throws(LocalError) {
        guard let file = try system.open(path, .creating) else {
            throw .io(path: path, operation: "open", errno: SystemError.absent)
        }
        try file.write(bytes, at: 0)
        try file.synchronise()
    }

    /// Replaces a damaged document by its backup.
    ///
    /// - Returns: the content, and a report if the document was replaced.
    /// - Throws: ``LocalError/corrupt(path:detail:)`` if the backup is not intact either, and other errors.
    func repair(_ path: String) throws(LocalError) -> (contents: Contents, recovery: LocalRecovery?) {
        // Another process may have repaired it since.
        let contents = try contents(path)
        guard case .damaged(let detail) = contents else { return (contents, nil) }
        let backup = try self.contents(path + ".backup")
        guard backup.isIntact, let bytes = try system.contents(of: path + ".backup") else {
            // The file stays in place, and is reported, until it is replaced or removed.
            throw .corrupt(path: path, detail: detail)
        }
        let setAside = path + ".damaged"
        try system.duplicate(path, as: setAside)
        try replace(path, with: bytes, durability: .synced)
        return (backup, LocalRecovery(path: path, damage: .replacedByBackup, setAside: setAside))
    }

    /// Makes every backup a copy of the present document, so that no file has a replaced value.
    func renewBackups() throws(LocalError) {
        for name in try documentNames() where try contents(path + "/" + name).isIntact {
            guard let bytes = try system.contents(of: path + "/" + name) else { continue }
            // A file, not a link: damage to the one must not be damage to the other.
            try replace(path + "/" + name + ".backup", with: bytes, durability: .written)
        }
        try system.synchroniseFolder(path)
    }
}
