extension PropertyListStore {
    /// The identifier of a document by its file's name; `nil` for files that no identifier has, and for a document that is
    /// not there any more.
    ///
    /// - Throws: ``LocalError/corrupt(path:detail:)`` where the file that holds the identifier is not as it was written, and
    ///   what reading it throws: a document without an identifier is not one that is not there.
    func identifier(ofFile name: String) throws(LocalError) -> String? {
        let stem = String(name.dropLast(Self.suffix.count))
        guard SafeFileName.isHashed(stem) else { return SafeFileName.identifier(of: stem) }
        let path = path + "/" + stem
        if let identifier = try writtenName(stem) { return identifier }
        // Removed meanwhile, and perhaps kept anew: the name is there before the document and after it.
        guard try system.outline(of: path + Self.suffix) != nil else { return nil }
        if let identifier = try writtenName(stem) { return identifier }
        let detail = "it does not hold the identifier of its document; setting that value writes it anew"
        throw .corrupt(path: path + Self.nameSuffix, detail: detail)
    }

    /// Keeps the identifier beside the file where its name cannot hold it, unless it is there.
    func writeName(of identifier: LocalIdentifier) throws(LocalError) {
        let name = SafeFileName.name(for: identifier.text)
        guard SafeFileName.isHashed(name), try writtenName(name) == nil else { return }
        try replace(path + "/" + name + Self.nameSuffix, with: Array(identifier.text.utf8), durability: .synced)
    }

    /// The identifier that is kept for a name; `nil` where none is, or not as it was written.
    private func writtenName(_ stem: String) throws(LocalError) -> String? {
        guard let bytes = try system.contents(of: path + "/" + stem + Self.nameSuffix),
            let identifier = String(validating: bytes, as: UTF8.self), SafeFileName.name(for: identifier) == stem
        else { return nil }
        return identifier
    }
}
