extension PropertyListStore {
    /// Copies all documents as they are into a folder of their own, which a store of the old version can open.
    ///
    /// The copy is made under another name and takes its place whole. What is in that place already is never changed: the
    /// same copy, of an attempt that was cut short, is used; any other folder is moved aside; a link or a file is refused.
    ///
    /// - Parameters:
    ///   - version: the version of the documents, which the copy tells as well: else a program of that version would take
    ///     them for those of the first, and run steps on them that have been run.
    ///   - folder: where the copy is to be.
    /// - Throws: ``LocalError``.
    func keepOld(_ version: Int, in folder: String) throws(LocalError) {
        let temporary = folder + ".tmp"
        try removeOld(temporary)
        try system.makeFolders(temporary)
        var copied: [String: [UInt8]] = [:]
        for name in try system.list(path) where Self.isDocument(name) {
            guard let bytes = try system.contents(of: path + "/" + name) else { continue }
            try create(temporary + "/" + name, with: bytes)
            copied[name] = bytes
        }
        if version > 1 {
            let bytes = try encoded(PropertyListFolderState(version: version))
            try create(temporary + "/" + Self.schemaName, with: bytes)
            copied[Self.schemaName] = bytes
        }
        try system.synchroniseFolder(temporary)
        if try !rename(temporary, toFree: folder) {
            if try isCopy(folder, of: copied) {
                try removeOld(temporary)
            } else {
                try moveAside(folder)
                try system.rename(temporary, to: folder)
            }
        }
        try system.synchroniseFolder(path)
    }

    /// Takes away a folder of old documents, or what else has its name; in it only documents and their version are removed.
    ///
    /// - Throws: ``LocalError``, also where something else is in it.
    func removeOld(_ folder: String) throws(LocalError) {
        do {
            try system.remove(folder)
        } catch .io(_, _, SystemFailure.notEmpty) {
            // A folder itself: of a link the link would be gone, and nothing else.
            for name in try system.list(folder) where Self.isDocument(name) || name == Self.schemaName {
                try system.remove(folder + "/" + name)
            }
            try system.remove(folder)
        }
    }

    /// Whether a name is that of a document, or of what belongs to one.
    private static func isDocument(_ name: String) -> Bool {
        [suffix, nameSuffix, suffix + ".tmp", nameSuffix + ".tmp"].contains { name.hasSuffix($0) }
    }

    /// Gives a folder another name; false where a folder with something in it has that.
    private func rename(_ folder: String, toFree target: String) throws(LocalError) -> Bool {
        do {
            try system.rename(folder, to: target)
            return true
        } catch .io(_, _, let code) where code == SystemFailure.notEmpty || code == SystemFailure.exists {
            return false
        } catch .notPermitted(_, SystemFailure.notDirectory) {
            throw .notPermitted(path: target, errno: SystemFailure.notDirectory)
        }
    }

    private func isCopy(_ folder: String, of files: [String: [UInt8]]) throws(LocalError) -> Bool {
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

    /// Gives a folder the first name that is free.
    private func moveAside(_ folder: String) throws(LocalError) {
        var number = 1
        while try system.outline(of: "\(folder).\(number)") != nil { number += 1 }
        try system.rename(folder, to: "\(folder).\(number)")
    }
}
