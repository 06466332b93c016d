import EssentialFoundation

/// The content of the state file of a property list folder, `.schema`: the version of the documents and, during a migration,
/// the changes that it makes. The file is a property list with a checksum.
struct PropertyListFolderState: Equatable {
    /// The version of the documents, after the pending changes.
    var version = 1
    /// The files to be written, by name, with their complete content; `nil` if nothing is pending.
    var files: [String: [UInt8]]?
    /// The file names of the documents to be removed.
    var removed: [String] = []

    /// Whether a migration is decided and not finished.
    var isPending: Bool { files != nil }

    init(version: Int = 1) { self.version = version }

    /// Reads the content of the file without its checksum; `nil` if it is invalid.
    init?(reading bytes: [UInt8]) {
        guard let tree = try? PropertyListValue(reading: bytes, isLimited: false),
            case .integer(let version) = tree["version"],
            version >= 1, let version = Int(exactly: version)
        else { return nil }
        self.version = version
        guard let pending = tree["files"]?.members, case .array(let removed) = tree["removed"] else { return }
        var files: [String: [UInt8]] = [:]
        for (name, contents) in pending {
            guard case .data(let data) = contents, !name.contains("/") else { return nil }
            files[name] = Array(data)
        }
        self.files = files
        for case .string(let name) in removed where !name.contains("/") { self.removed.append(name) }
    }

    /// Returns the content of the file with its checksum.
    func written() throws(PropertyListProblem) -> [UInt8] {
        var tree = PropertyListValue.dictionary(["version": .integer(Int64(version))])
        if let files {
            tree["files"] = .dictionary(files.mapValues { .data(Data($0)) })
            tree["removed"] = .array(removed.map { .string($0) })
        }
        return PropertyListSeal.sealed(try tree.written(as: isPending ? .binary : .xml))
    }
}
