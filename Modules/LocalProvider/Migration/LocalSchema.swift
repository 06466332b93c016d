/// The version of what a store keeps, and the steps that bring values of an earlier version to it.
///
/// The values of the first program have version 1. Each step leads to the next version, so that a store of any earlier
/// one is brought up step by step:
///
/// ```swift
/// let schema = LocalSchema<JSONValue>()
///     .migrating("colour becomes theme") { try $0.rename("colour", to: "theme") }
///     .migrating("sizes in points") { store in
///         try store.convert("size", from: Int.self) { Double($0) * 0.75 }
///     }
/// ```
///
/// Steps are never changed or taken away once a program with them is out: a further change is a further step.
public struct LocalSchema<Tree: LocalTree>: Sendable {
    /// One step from a version to the next.
    struct Step: Sendable {
        var name: String
        var change: @Sendable (inout LocalMigration<Tree>) throws -> Void
    }

    private(set) var steps: [Step] = []

    /// The version that the program knows, 1 to 65,535: one more than there are steps.
    public var version: Int { steps.count + 1 }

    /// Version 1: as the first program keeps its values.
    public init() {}

    /// The schema with one more step, and so of the next version.
    ///
    /// - Parameters:
    ///   - name: what the step does, for reports and errors.
    ///   - change: changes the values; where it throws, the store stays as it was before the first step. It is run under
    ///     the store's lock, must not use the store itself, and may be run again where a crash has cut it short.
    /// - Returns: the longer schema.
    public func migrating(
        _ name: String,
        _ change: @escaping @Sendable (inout LocalMigration<Tree>) throws -> Void
    ) -> LocalSchema {
        var schema = self
        schema.steps.append(Step(name: name, change: change))
        return schema
    }

    /// Runs the steps from a version on.
    ///
    /// - Parameters:
    ///   - version: the version of the values.
    ///   - values: gives and collects the values.
    ///   - path: what is migrated, for errors.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, or what made a step unable to read.
    func run(from version: Int, on values: inout LocalMigration<Tree>, path: String) throws(LocalError) {
        for step in steps.dropFirst(version - 1) {
            do {
                try step.change(&values)
            } catch let error as LocalError {
                // A damaged or forbidden file says what to do itself.
                switch error {
                case .corrupt, .notPermitted, .full, .io: throw error
                default: throw .migrationFailed(path: path, version: version, step: step.name, detail: "\(error)")
                }
            } catch {
                let detail = CodingProblem.text(of: error)
                throw .migrationFailed(path: path, version: version, step: step.name, detail: detail)
            }
        }
    }
}

/// A value of any shape as a store keeps it: ``JSONValue`` or ``PropertyListValue``.
public protocol LocalTree: Hashable, Sendable {
    /// The tree of a value.
    ///
    /// - Throws: what encoding throws.
    init(encoding value: some Encodable) throws

    /// The value that the tree stands for.
    ///
    /// - Throws: what decoding throws.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value

    /// The members of an object or dictionary by name; `nil` for every other tree.
    var members: [String: Self]? { get }

    /// An object or dictionary.
    init(members: [String: Self])
}

extension LocalTree {
    /// A member of an object or dictionary; `nil` where there is none. Setting `nil` removes it; setting one in a tree that
    /// has no members makes it an object with that one.
    public subscript(name: String) -> Self? {
        get { members?[name] }
        set {
            var changed = members ?? [:]
            changed[name] = newValue
            self = Self(members: changed)
        }
    }

    /// Gives a member another name; nothing happens where there is none.
    public mutating func renameMember(_ name: String, to newName: String) {
        guard name != newName, let member = self[name] else { return }
        self[name] = nil
        self[newName] = member
    }
}
