#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The rules for dependencies, which a file contains.
///
///     {
///       "anywhere": ["Threading"],
///       "rules": [
///         { "targets": ["NeedleKit"], "allow": ["ConstraintSolver"], "because": "layout depends on the solver alone" },
///         { "targets": ["Modules/*"], "forbid": ["Apps/*"], "because": "modules are reusable" }
///       ],
///       "unused": ["TestSupport"],
///       "reads": [{ "targets": ["AppTests"], "paths": ["README.md", "Scripts/*"] }]
///     }
///
/// A pattern is the name of a target or, with a slash, its folder; `*` matches any text.
public struct DependencyRules: Sendable, Decodable {
    /// A rule.
    public struct Rule: Sendable, Decodable {
        /// Patterns of the targets that the rule applies to.
        public var targets: [String]
        /// Patterns of the targets that they may depend on directly; `nil` for all.
        public var allow: [String]?
        /// Patterns of the targets that they must not depend on, directly or not.
        public var forbid: [String]?
        /// The reason, which is printed with each finding.
        public var because: String?

        private enum CodingKeys: String, CodingKey { case targets, allow, forbid, because }

        /// Decodes a rule and refuses unknown keys: a mistyped rule would have no effect.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            try refuseUnknownKeys(in: decoder, known: ["targets", "allow", "forbid", "because"])
            targets = try container.decode([String].self, forKey: .targets)
            allow = try container.decodeIfPresent([String].self, forKey: .allow)
            forbid = try container.decodeIfPresent([String].self, forKey: .forbid)
            because = try container.decodeIfPresent(String.self, forKey: .because)
        }
    }

    /// Files outside a target's folder that the target reads, such as a script that a test runs.
    public struct Reads: Sendable, Decodable {
        /// Patterns of the targets.
        public var targets: [String]
        /// Patterns of the paths below the package's folder.
        public var paths: [String]
    }

    /// Patterns of the targets that every target may depend on.
    public var anywhere: [String] = []
    /// The rules; a target must satisfy all that apply to it.
    public var rules: [Rule] = []
    /// Patterns of the dependencies that may be declared without being imported.
    public var unused: [String] = []
    /// The files that targets read outside their folders, for `affected`.
    public var reads: [Reads] = []

    /// Creates an empty list of rules.
    public init() {}

    private enum CodingKeys: String, CodingKey { case anywhere, rules, unused, reads }

    /// Decodes the rules and refuses unknown keys.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try refuseUnknownKeys(in: decoder, known: ["anywhere", "rules", "unused", "reads"])
        anywhere = try container.decodeIfPresent([String].self, forKey: .anywhere) ?? []
        rules = try container.decodeIfPresent([Rule].self, forKey: .rules) ?? []
        unused = try container.decodeIfPresent([String].self, forKey: .unused) ?? []
        reads = try container.decodeIfPresent([Reads].self, forKey: .reads) ?? []
    }

    /// Reads the default rules file of a package, `.dependency-rules.json`; without one there are no rules.
    ///
    /// - Throws: ``GraphError`` if the file is invalid.
    public init(ofPackage root: String) throws {
        let file = root + "/.dependency-rules.json"
        self = FileManager.default.fileExists(atPath: file) ? try DependencyRules(path: file) : DependencyRules()
    }

    /// Reads a rules file.
    ///
    /// - Throws: ``GraphError`` if it does not exist or is invalid.
    public init(path: String) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw GraphError.rules(path: path, message: "it cannot be read")
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch DecodingError.dataCorrupted(let context) {
            throw GraphError.rules(path: path, message: context.debugDescription)
        } catch {
            throw GraphError.rules(path: path, message: "\(error)")
        }
    }

    /// Whether a pattern matches a target.
    static func matches(_ pattern: String, _ target: GraphTarget) -> Bool {
        glob(Array(pattern), Array(pattern.contains("/") ? target.folder : target.name))
    }

    /// Whether a pattern matches a path.
    static func matches(_ pattern: String, path: String) -> Bool { glob(Array(pattern), Array(path)) }

    private static func glob(_ pattern: [Character], _ text: [Character]) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = Array(pattern.dropFirst())
        if first == "*" { return (0...text.count).contains { glob(rest, Array(text[$0...])) } }
        return text.first == first && glob(rest, Array(text.dropFirst()))
    }
}

private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private func refuseUnknownKeys(in decoder: any Decoder, known: Set<String>) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    if let key = container.allKeys.first(where: { !known.contains($0.stringValue) }) {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription:
                    "unknown key \"\(key.stringValue)\"; the keys are: \(known.sorted().joined(separator: ", "))"
            )
        )
    }
}
