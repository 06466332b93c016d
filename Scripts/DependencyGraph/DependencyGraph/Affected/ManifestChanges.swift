import JSONValues

/// What a change of the manifest affects.
struct ManifestChanges: Equatable {
    /// The targets that are new or have another definition.
    var targets: Set<String> = []
    /// The identities of the packages that are new or have another requirement.
    var packages: Set<String> = []
    /// The reason why everything is affected, such as a common setting; `nil` if it is not.
    var everything: String?

    /// Whether a file at the top of a package is a manifest: Package.swift, or one for a version of the toolchain.
    static func isManifest(_ file: String) -> Bool {
        file == "Package.swift" || file.hasPrefix("Package@swift-") && file.hasSuffix(".swift")
    }

    /// Compares the manifest with the one at a revision. Of several manifests SwiftPM chooses in both cases.
    static func since(_ git: GitChanges, _ reader: PackageReader) throws -> ManifestChanges {
        let names = try git.manifests()
        guard names.contains("Package.swift") else {
            return ManifestChanges(everything: "Package.swift did not exist at \(git.revision)")
        }
        return try Files.withTemporaryFolder { prefix in
            // The same path below another folder: the manifest may contain paths to its folder and to those above.
            let folder = prefix + reader.path
            try Files.makeFolders(folder)
            for name in names { try Files.write(try git.content(of: name) ?? [], to: "\(folder)/\(name)") }
            guard let before = try? reader.reader(of: folder).dump() else {
                return ManifestChanges(everything: "Package.swift at \(git.revision) cannot be read")
            }
            // SwiftPM resolves symbolic links in the path of the temporary folder.
            let old = before.replacingPrefixes(prefix).replacingPrefixes(prefix.resolvingLinks)
            return between(old, try reader.dump())
        }
    }

    /// Compares two manifests in the JSON of SwiftPM.
    static func between(_ old: JSONValue, _ new: JSONValue) -> ManifestChanges {
        guard var before = old.members, var after = new.members else {
            return ManifestChanges(everything: "the manifest cannot be compared")
        }
        var changes = ManifestChanges()
        changes.targets = differences(in: "targets", old, new) { $0["name"].text }
        changes.packages = differences(in: "dependencies", old, new) { package in
            package.members?.values.first?.elements?.first?["identity"].text?.lowercased()
        }
        // The location of the package and its products do not change the build of a target.
        for key in ["targets", "dependencies", "packageKind", "products"] {
            before[key] = nil
            after[key] = nil
        }
        if let key = Set(before.keys).union(after.keys).sorted().first(where: { before[$0] != after[$0] }) {
            changes.everything = "Package.swift changed its \(key)"
        }
        return changes
    }

    /// Returns the names of the new and changed elements of an array.
    private static func differences(
        in key: String,
        _ old: JSONValue,
        _ new: JSONValue,
        name: (JSONValue) -> String?
    ) -> Set<String> {
        func table(_ document: JSONValue) -> [String: JSONValue] {
            let pairs = (document[key].elements ?? []).compactMap { element in name(element).map { ($0, element) } }
            return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        }
        let before = table(old)
        return Set(table(new).filter { before[$0.key] != $0.value }.keys)
    }
}

extension JSONValue {
    /// Returns the value with a prefix of its strings replaced.
    func replacingPrefixes(_ prefix: String, with replacement: String = "") -> JSONValue {
        switch self {
        case .string(let text): text.hasPrefix(prefix) ? .string(replacement + text.dropFirst(prefix.count)) : self
        case .array(let elements): .array(elements.map { $0.replacingPrefixes(prefix, with: replacement) })
        case .object(let members): .object(members.mapValues { $0.replacingPrefixes(prefix, with: replacement) })
        default: self
        }
    }
}
