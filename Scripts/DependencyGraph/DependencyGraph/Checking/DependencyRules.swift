import JSONValues
import SystemCalls

/// The rules for the dependencies of a package, which a JSON file contains.
///
///     {
///       "tags": { "screens": ["AppUI", "Apps/Features/*"] },
///       "anywhere": ["Threading"],
///       "rules": [
///         { "targets": ["NeedleKit"], "allow": ["ConstraintSolver"], "because": "layout depends on the solver alone" },
///         { "targets": ["Modules/*"], "forbid": ["tag:screens"], "because": "modules are reusable" }
///       ],
///       "layers": [
///         { "name": "features", "targets": ["Apps/Features/*"], "isolated": true },
///         { "name": "modules", "targets": ["Modules/*"] }
///       ],
///       "platforms": [{ "targets": ["UIKitViews"], "only": ["ios", "tvos"] }],
///       "testOnly": ["TestSupport"],
///       "unused": ["TestSupport"],
///       "defines": ["BENCHMARK"],
///       "reads": [{ "targets": ["AppTests"], "paths": ["README.md", "Scripts/*"] }]
///     }
///
/// A pattern is the name of a target or, with a slash, its folder; `tag:NAME`; `product:NAME` for the targets of a product, or the
/// product of another package; `package:IDENTITY` for all products of another package; `kind:test` for all targets of a kind.
/// In names and folders `*` matches any text. A path in "reads" stands for a file, or for a folder with all that is in it.
struct DependencyRules: Sendable {
    /// A rule for some targets.
    struct Rule: Sendable {
        /// Patterns of the targets that the rule applies to.
        var targets: [String]
        /// Patterns of the targets that they may depend on directly; `nil` for all.
        var allow: [String]?
        /// Patterns of the targets that they must not depend on, directly or not.
        var forbid: [String]?
        /// The reason, which is printed with each finding.
        var because: String?
    }

    /// A layer: its targets may depend on those of the same and of lower layers, and on targets without a layer.
    struct Layer: Sendable {
        /// The name, which is printed with each finding.
        var name: String
        /// Patterns of the targets.
        var targets: [String]
        /// Whether the targets of the layer must not depend on each other.
        var isolated: Bool
        /// The reason, which is printed with each finding.
        var because: String?
    }

    /// Targets that are for some platforms only.
    struct Platforms: Sendable {
        /// Patterns of the targets.
        var targets: [String]
        /// The platforms, as in a manifest's conditions in lower case.
        var only: [String]
        /// The reason, which is printed with each finding.
        var because: String?
    }

    /// Files outside a target's folder that the target reads, such as a script that a test runs.
    struct Reads: Sendable {
        /// Patterns of the targets.
        var targets: [String]
        /// Patterns of the paths below the package's folder; the path of a folder stands for all that is in it.
        var paths: [String]
    }

    /// The patterns of each tag.
    var tags: [String: [String]] = [:]
    /// Patterns of the targets that every target may depend on.
    var anywhere: [String] = []
    /// The rules; a target must satisfy all that apply to it.
    var rules: [Rule] = []
    /// The layers, the highest first.
    var layers: [Layer] = []
    /// The targets that are for some platforms only.
    var platforms: [Platforms] = []
    /// Patterns of the targets that are for tests only.
    var testOnly: [String] = []
    /// Patterns of the dependencies that may be declared without being imported.
    var unused: [String] = []
    /// The compilation conditions that are defined on the command line of a build.
    var defines: [String] = []
    /// The files that targets read outside their folders, for `affected`.
    var reads: [Reads] = []
    /// The path of the file, for errors.
    var file = ".dependency-rules.json"

    /// Creates an empty list of rules.
    init() {}

    /// Reads the default rules file of a package, `.dependency-rules.json`; without one there are no rules.
    ///
    /// - Throws: ``GraphError/rules(path:message:)`` if the file is invalid.
    init(ofPackage root: String) throws {
        let file = root + "/.dependency-rules.json"
        self = (try? POSIX.status(of: file)) == nil ? DependencyRules() : try DependencyRules(path: file)
    }

    /// Reads a rules file.
    ///
    /// - Throws: ``GraphError/rules(path:message:)`` if it cannot be read or is invalid.
    init(path: String) throws {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try POSIX.contents(of: path)
        } catch {
            throw GraphError.rules(path: path, message: "it cannot be read (\(error))")
        }
        do {
            try self.init(try JSONValue(parsing: bytes))
        } catch let error as JSONError {
            throw GraphError.rules(path: path, message: error.description)
        } catch let error as RulesError {
            throw GraphError.rules(path: path, message: error.message)
        }
        file = path
    }
}

/// What is wrong in a rules file.
private struct RulesError: Error {
    var message: String
}

extension DependencyRules {
    fileprivate init(_ document: JSONValue) throws {
        let known = ["tags", "anywhere", "rules", "layers", "platforms", "testOnly", "unused", "defines", "reads"]
        let top = try Members(document, "the file", known)
        if let tags = top.members["tags"] {
            let names = try Members(tags, "\"tags\"", nil)
            for name in names.members.keys { self.tags[name] = try names.patterns(name) }
        }
        anywhere = try top.patterns("anywhere") ?? []
        testOnly = try top.patterns("testOnly") ?? []
        unused = try top.patterns("unused") ?? []
        defines = try top.patterns("defines") ?? []
        rules = try top.list("rules", ["targets", "allow", "forbid", "because"]).map { rule in
            let (allow, forbid) = (try rule.patterns("allow"), try rule.patterns("forbid"))
            guard allow != nil || forbid != nil else {
                throw RulesError(message: "\(rule.place) has no effect without \"allow\" or \"forbid\"")
            }
            return Rule(
                targets: try rule.required("targets"),
                allow: allow,
                forbid: forbid,
                because: try rule.text("because")
            )
        }
        layers = try top.list("layers", ["name", "targets", "isolated", "because"]).map { layer in
            guard let name = try layer.text("name") else { throw RulesError(message: "\(layer.place) has no \"name\"") }
            return Layer(
                name: name,
                targets: try layer.required("targets"),
                isolated: try layer.flag("isolated"),
                because: try layer.text("because")
            )
        }
        platforms = try top.list("platforms", ["targets", "only", "because"]).map { entry in
            Platforms(
                targets: try entry.required("targets"),
                only: try entry.required("only").map { $0.lowercased() },
                because: try entry.text("because")
            )
        }
        reads = try top.list("reads", ["targets", "paths"]).map { entry in
            Reads(targets: try entry.required("targets"), paths: try entry.required("paths"))
        }
    }

    /// The members of an object in the file. Unknown keys are refused: a mistyped rule would have no effect.
    private struct Members {
        var members: [String: JSONValue]
        var place: String

        init(_ value: JSONValue, _ place: String, _ known: [String]?) throws {
            guard let members = value.members else { throw RulesError(message: "\(place) must be an object") }
            self.members = members
            self.place = place
            if let known, let key = members.keys.sorted().first(where: { !known.contains($0) }) {
                let list = known.sorted().joined(separator: ", ")
                throw RulesError(message: "unknown key \"\(key)\"; the keys are: \(list)")
            }
        }

        func list(_ key: String, _ known: [String]) throws -> [Members] {
            guard let value = members[key] else { return [] }
            guard let elements = value.elements else { throw RulesError(message: "\"\(key)\" must be an array") }
            return try elements.enumerated().map { try Members($1, "element \($0 + 1) of \"\(key)\"", known) }
        }

        func patterns(_ key: String) throws -> [String]? {
            guard let value = members[key] else { return nil }
            guard let elements = value.elements, elements.allSatisfy({ $0.text != nil }) else {
                throw RulesError(message: "\"\(key)\" in \(place) must be an array of strings")
            }
            return value.texts
        }

        func required(_ key: String) throws -> [String] {
            guard let patterns = try patterns(key), !patterns.isEmpty else {
                throw RulesError(message: "\(place) has no \"\(key)\"")
            }
            return patterns
        }

        func flag(_ key: String) throws -> Bool {
            guard let value = members[key] else { return false }
            guard case .bool(let flag) = value else {
                throw RulesError(message: "\"\(key)\" in \(place) must be true or false")
            }
            return flag
        }

        func text(_ key: String) throws -> String? {
            guard let value = members[key] else { return nil }
            guard let text = value.text else { throw RulesError(message: "\"\(key)\" in \(place) must be a string") }
            return text
        }
    }
}
