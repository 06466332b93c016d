#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What `swift package dump-package` prints, as far as the graph needs it.
struct ManifestDump: Decodable {
    struct Target: Decodable {
        var name: String
        var type: String
        var path: String?
        var exclude: [String]?
        var dependencies: [Dependency]
        var pluginUsages: [PluginUsage]?
    }

    /// `{"byName": [NAME, CONDITION]}`, `{"target": [NAME, CONDITION]}` or
    /// `{"product": [NAME, PACKAGE, ALIASES, CONDITION]}`.
    struct Dependency: Decodable {
        var byName: [Part]?
        var target: [Part]?
        var product: [Part]?
    }

    /// `{"plugin": [NAME, PACKAGE]}`
    struct PluginUsage: Decodable {
        var plugin: [Part]
    }

    /// One element of these mixed arrays.
    enum Part: Decodable {
        case text(String)
        case condition(platforms: [String])
        case other

        init(from decoder: any Decoder) throws {
            struct Condition: Decodable { var platformNames: [String]? }
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let condition = try? container.decode(Condition.self) {
                self = .condition(platforms: condition.platformNames ?? [])
            } else {
                self = .other
            }
        }
    }

    var name: String
    var targets: [Target]
}

extension [ManifestDump.Part] {
    /// The text at a place, if there is one.
    func text(at place: Int) -> String? {
        guard indices.contains(place), case .text(let text) = self[place] else { return nil }
        return text
    }

    /// The platforms of the condition, if there is one.
    var platforms: [String] {
        for case .condition(let platforms) in self { return platforms }
        return []
    }
}
