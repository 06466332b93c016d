#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a change of the manifest touches: some targets, or everything.
enum ManifestChanges: Equatable {
    /// These targets are new or defined otherwise than before.
    case targets(Set<String>)
    /// Something that holds for all of them is otherwise, as the text says.
    case everything(String)

    /// Compares two manifests, as SwiftPM describes them.
    static func between(_ old: Data, _ new: Data) throws -> ManifestChanges {
        guard case .object(var before) = try JSONDecoder().decode(JSONValue.self, from: old),
            case .object(var after) = try JSONDecoder().decode(JSONValue.self, from: new)
        else { return .everything("the manifest cannot be compared") }
        let (targetsBefore, targetsAfter) = (byName(before["targets"]), byName(after["targets"]))
        // Where the package lies and what it offers to others changes no build of its own.
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

/// Any JSON, for comparing.
enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
