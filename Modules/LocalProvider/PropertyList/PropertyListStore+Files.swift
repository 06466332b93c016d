extension PropertyListStore {
    /// A file's contents, as far as they can be trusted.
    enum Contents {
        case absent
        /// Our checksum vouches for them; without the seal.
        case sealed([UInt8])
        /// Of another program, and whole: what is in them.
        case unsealed(PropertyListValue)
        /// Neither, and why.
        case damaged(String)

        var isWhole: Bool {
            switch self {
            case .sealed, .unsealed: true
            case .absent, .damaged: false
            }
        }

        /// What is in them; `nil` where there is nothing whole.
        ///
        /// - Throws: ``PropertyListProblem`` for bytes that carry our checksum and are yet no property list.
        func tree() throws(PropertyListProblem) -> PropertyListValue? {
            switch self {
            case .sealed(let bytes): try PropertyListValue(reading: bytes)
            case .unsealed(let tree): tree
            case .absent, .damaged: nil
            }
        }
    }

    func contents(_ path: String) throws(LocalError) -> Contents {
        guard let bytes = try system.contents(of: path) else { return .absent }
        switch PropertyListSeal.check(bytes) {
        case .whole(let plain): return .sealed(plain)
        case .broken where bytes.starts(with: BinaryPropertyListReader.magic): return .damaged("its checksum is wrong")
        // Nobody can tell an edit from damage but who made it.
        case .broken: return .damaged("its checksum is wrong; where it was edited by hand, delete its last line")
        case .unsealed:
            do {
                return .unsealed(try PropertyListValue(reading: bytes))
            } catch {
                return .damaged(error.description)
            }
        }
    }

    /// The contents, or the backup's where they are damaged; the backup then takes the file's place.
    func wholeContents(_ path: String) throws(LocalError) -> Contents {
        let contents = try contents(path)
        guard case .damaged(let detail) = contents else { return contents }
        do throws(LocalError) {
            return try exclusive { try self.restored(path) }
        } catch .notPermitted {
            // Nothing can be repaired here; the backup can be read all the same.
            let backup = try self.contents(path + ".backup")
            guard backup.isWhole else { throw .corrupt(path: path, detail: detail) }
            return backup
        }
    }

    /// As ``wholeContents(_:)``, for who holds the lock.
    func restored(_ path: String) throws(LocalError) -> Contents {
        // Another process may have been quicker.
        let contents = try contents(path)
        guard case .damaged(let detail) = contents else { return contents }
        let backup = try self.contents(path + ".backup")
        guard backup.isWhole, let bytes = try system.contents(of: path + ".backup") else {
            // The file stays where it is, and keeps being told, until it is replaced or removed.
            throw .corrupt(path: path, detail: detail)
        }
        let setAside = path + ".damaged"
        try system.duplicate(path, as: setAside)
        try replace(path, with: bytes, durability: .synced)
        report(LocalRecovery(path: path, damage: .replacedByBackup, setAside: setAside))
        if let identifier = identifierToTell(ofFile: FileSystem.name(of: path)) { changed(identifier, path, .set) }
        return backup
    }

    /// Writes a file under another name and puts it in place.
    ///
    /// The bytes are on the disk before they get the name, whatever the durability: else a loss of power could take the
    /// document and, after two such writes, its backup too.
    func replace(_ path: String, with bytes: [UInt8], durability: LocalDurability) throws(LocalError) {
        let temporary = path + ".tmp"
        try system.remove(temporary)
        do {
            try create(temporary, with: bytes)
            try system.rename(temporary, to: path)
        } catch {
            _ = try? system.remove(temporary)
            throw error
        }
        if durability == .synced { try system.synchroniseFolder(self.path) }
    }

    /// Makes a file and brings its contents to the disk.
    func create(_ path: String, with bytes: [UInt8]) throws(LocalError) {
        guard let file = try system.open(path, .creating) else {
            throw .io(path: path, operation: "open", errno: SystemFailure.absent)
        }
        try file.write(bytes, at: 0)
        try file.synchronise()
    }

    /// Gives the present file the backup's name too, or, where it is damaged, puts it aside: it must not replace a good
    /// backup.
    func keepOld(_ path: String, isWhole: Bool) throws(LocalError) {
        try system.duplicate(path, as: path + (isWhole ? ".backup" : ".damaged"))
    }

    /// Makes every backup a copy of the present document, so that values which have been replaced are in no file any more:
    /// what ``JSONDefaults/compactNow(keepsBackup:)`` is for a journal.
    ///
    /// - Throws: ``LocalError``.
    public func forgetReplaced() throws(LocalError) {
        guard try system.outline(of: path) != nil else { return }
        try exclusive { try self.renewBackups() }
    }

    /// As ``forgetReplaced()``, for who holds the lock.
    func renewBackups() throws(LocalError) {
        for name in try fileNames() where try contents(path + "/" + name).isWhole {
            guard let bytes = try system.contents(of: path + "/" + name) else { continue }
            // A file of its own, not a second name: damage to the one must not be damage to the other.
            try replace(path + "/" + name + ".backup", with: bytes, durability: .written)
        }
        try system.synchroniseFolder(path)
    }
}
