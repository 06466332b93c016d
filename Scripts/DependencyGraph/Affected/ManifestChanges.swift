import JSONValues

/// The targets that a change of the manifest affects.
enum ManifestChanges: Equatable {
    /// These targets, which are new or have another definition.
    case targets(Set<String>)
    /// All targets, for the reason in the text.
    case everything(String)

    /// Compares two manifests in the JSON of SwiftPM.
    static func between(_ old: JSONValue, _ new: JSONValue) -> ManifestChanges {
        guard case .object(var before) = old, case .object(var after) = new else {
            return .everything("the manifest cannot be compared")
        }
        let (targetsBefore, targetsAfter) = (byName(before["targets"]), byName(after["targets"]))
        // The location of the package and its products do not change the build of a target.
        for key in ["targets", "packageKind", "products"] {
            before[key] = nil
            after[key] = nil
        }
        if let key = Set(before.keys).union(after.keys).sorted().first(where: { before[$0] != after[$0] }) {
            return .everything("Package.swift changed its \(key)")
        }
        return .targets(Set(targetsAfter.filter { targetsBefore[$0.key] != $0.value }.keys))
    }

    private static func byName(_ value: JSONValue?) -> [String: JSONValue] {
        guard case .array(let targets) = value else { return [:] }
        var found: [String: JSONValue] = [:]
        for case .object(let target) in targets {
            if case .string(let name) = target["name"] { found[name] = .object(target) }
        }
        return found
    }
}
