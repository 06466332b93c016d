#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Who may import whom, as a file says it.
///
///     {
///       "anywhere": ["Locking"],
///       "rules": [
///         { "targets": ["NeedleKit"], "allow": ["ConstraintSolver"], "because": "layout stands on the solver" },
///         { "targets": ["Modules/*"], "forbid": ["Apps/*"], "because": "modules are reusable" }
///       ],
///       "unused": ["TestSupport"]
///     }
///
/// A pattern is a target's name or, with a slash, its folder; `*` stands for any text.
public struct DependencyRules: Sendable, Decodable {
    /// One rule.
    public struct Rule: Sendable, Decodable {
        /// The targets that it binds, as patterns.
        public var targets: [String]
        /// All that they may need directly; nil for anything.
        public var allow: [String]?
        /// What they may not reach, directly or through others.
        public var forbid: [String]?
        /// Why; told with each finding.
        public var because: String?

        private enum CodingKeys: String, CodingKey { case targets, allow, forbid, because }

        /// Decodes a rule, and refuses a key that it does not know: a misspelt rule would hold of nothing.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            try refuseUnknownKeys(in: decoder, known: ["targets", "allow", "forbid", "because"])
            targets = try container.decode([String].self, forKey: .targets)
            allow = try container.decodeIfPresent([String].self, forKey: .allow)
            forbid = try container.decodeIfPresent([String].self, forKey: .forbid)
            because = try container.decodeIfPresent(String.self, forKey: .because)
        }
    }

    /// What any target may need, whatever the rules say.
    public var anywhere: [String] = []
    /// The rules; each of those that bind a target must hold.
    public var rules: [Rule] = []
    /// The dependencies that may be declared and not imported.
    public var unused: [String] = []

    /// No rules.
    public init() {}

    private enum CodingKeys: String, CodingKey { case anywhere, rules, unused }

    /// Decodes the rules, and refuses a key that it does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try refuseUnknownKeys(in: decoder, known: ["anywhere", "rules", "unused"])
        anywhere = try container.decodeIfPresent([String].self, forKey: .anywhere) ?? []
        rules = try container.decodeIfPresent([Rule].self, forKey: .rules) ?? []
        unused = try container.decodeIfPresent([String].self, forKey: .unused) ?? []
    }

    /// Reads a rules file.
    ///
    /// - Throws: ``GraphError`` when it is not there or wrong.
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

    /// Whether a target is one of those that a pattern stands for.
    static func matches(_ pattern: String, _ target: GraphTarget) -> Bool {
        glob(Array(pattern), Array(pattern.contains("/") ? target.folder : target.name))
    }

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
                    "it knows no key \"\(key.stringValue)\" here; the keys are: \(known.sorted().joined(separator: ", "))"
            )
        )
    }
}
