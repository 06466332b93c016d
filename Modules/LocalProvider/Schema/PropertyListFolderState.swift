#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the file `.schema` in a folder of property lists says: the version of the documents and, while a migration is
/// being carried out, what it writes. It is a property list itself, with a checksum.
struct PropertyListFolderState: Equatable {
    /// The version of the documents, once what is pending is done.
    var version = 1
    /// The files that are still to be written, by name, with their whole contents; `nil` where nothing is pending.
    var files: [String: [UInt8]]?
    /// The documents that are still to be removed, by file name.
    var removed: [String] = []

    /// Whether a migration has been decided on and not been finished.
    var isPending: Bool { files != nil }

    init(version: Int = 1) {
        self.version = version
    }

    /// Reads the file's contents without their checksum; `nil` for anything else.
    init?(reading bytes: [UInt8]) {
        guard let tree = try? PropertyListValue(reading: bytes), case .integer(let version) = tree["version"],
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

    /// The file's contents, with their checksum.
    func written() throws(PropertyListProblem) -> [UInt8] {
        var tree = PropertyListValue.dictionary(["version": .integer(Int64(version))])
        if let files {
            tree["files"] = .dictionary(files.mapValues { .data(Data($0)) })
            tree["removed"] = .array(removed.map { .string($0) })
        }
        return PropertyListSeal.sealed(try tree.written(as: isPending ? .binary : .xml))
    }
}
