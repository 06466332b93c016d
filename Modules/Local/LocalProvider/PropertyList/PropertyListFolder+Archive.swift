import SystemCalls

/// Archives: copies of all documents before a migration.
extension PropertyListFolder {
    /// Copies all documents to an archive, a folder that a store of the old version can open.
    ///
    /// The copy is made under a temporary name and renamed. An existing archive is never changed: one with the same content,
    /// of a migration that was interrupted, is used; another one is renamed; a link or a file is refused.
    ///
    /// - Parameters:
    ///   - state: the state file for the archive, with the version of the documents; `nil` for version 1. Without it, a program
    ///     of that version would run the migrations to it again.
    ///   - archive: the path of the archive.
    /// - Throws: ``LocalError``.
    func archiveDocuments(_ state: [UInt8]?, in archive: String) throws(LocalError) {
        let temporary = archive + ".tmp"
        try removeArchive(temporary)
        try system.makeFolders(temporary)
        var copied: [String: [UInt8]] = [:]
        for name in try system.list(path) where Self.isDocumentFile(name) {
            guard let bytes = try system.contents(of: path + "/" + name) else { continue }
            try create(temporary + "/" + name, with: bytes)
            copied[name] = bytes
        }
        if let state {
            try create(temporary + "/" + Self.schemaName, with: state)
            copied[Self.schemaName] = state
        }
        try system.synchroniseFolder(temporary)
        if try !rename(temporary, toUnused: archive) {
            if try isArchive(archive, of: copied) {
                try removeArchive(temporary)
            } else {
                try moveAside(archive)
                try system.rename(temporary, to: archive)
            }
        }
        try system.synchroniseFolder(path)
    }

    /// Removes an archive, or another file of its name. In a folder, only documents and the state file are removed.
    ///
    /// - Throws: ``LocalError``, also if the folder contains anything else.
    func removeArchive(_ archive: String) throws(LocalError) {
        do {
            try system.remove(archive)
        } catch .io(_, _, SystemError.notEmpty) {
            // A folder itself: of a symbolic link only the link would have been removed.
            for name in try system.list(archive) where Self.isDocumentFile(name) || name == Self.schemaName {
                try system.remove(archive + "/" + name)
            }
            try system.remove(archive)
        }
    }

    private static func isDocumentFile(_ name: String) -> Bool {
        [documentSuffix, nameSuffix, documentSuffix + ".tmp", nameSuffix + ".tmp"].contains { name.hasSuffix($0) }
    }

    /// Renames a folder; returns false if a folder that is not empty has the name.
    private func rename(_ folder: String, toUnused target: String) throws(LocalError) -> Bool {
        do {
            try system.rename(folder, to: target)
            return true
        } catch .io(_, _, let code) where code == SystemError.notEmpty || code == SystemError.exists {
            return false
        } catch .notPermitted(_, SystemError.notDirectory) {
            throw .notPermitted(path: target, errno: SystemError.notDirectory)
        }
    }

    private func isArchive(_ folder: String, of files: [String: [UInt8]]) throws(LocalError) -> Bool {
        guard try Set(system.list(folder)) == Set(files.keys) else { return false }
        for (name, bytes) in files {
            do {
                guard try system.contents(of: folder + "/" + name) == bytes else { return false }
            } catch .notPermitted {
                return false
            }
        }
        return true
    }

    /// Renames a folder to the first unused name with a number.
    private func moveAside(_ folder: String) throws(LocalError) {
        var number = 1
        while try system.outline(of: "\(folder).\(number)") != nil { number += 1 }
        try system.rename(folder, to: "\(folder).\(number)")
    }
}
