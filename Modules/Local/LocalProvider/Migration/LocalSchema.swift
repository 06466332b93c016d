/// The schema version of the values of a store, and the migrations of earlier values to it.
///
/// The values of the first program have version 1. Each step leads to the next version, so that a store of any
/// earlier version is migrated step by step:
///
/// ```swift
/// let schema = LocalSchema<JSONValue>()
///     .migrating("colour becomes theme") { try $0.rename("colour", to: "theme") }
///     .migrating("sizes in points") { store in
///         try store.convert("size", from: Int.self) { Double($0) * 0.75 }
///     }
/// ```
///
/// Do not change or remove a step after a program with it was released: a further change is a further step.
public struct LocalSchema<Tree: LocalTree>: Sendable {
    /// One step from a version to the next.
    struct Step: Sendable {
        var name: String
        var change: @Sendable (inout LocalMigration<Tree>) throws -> Void
    }

    private(set) var steps: [Step] = []

    /// The version that the program supports, 1 to 65,535: the number of steps plus 1.
    public var version: Int { steps.count + 1 }

    /// Creates the schema of version 1.
    public init() {}

    /// Returns the schema with one more step, and so of the next version.
    ///
    /// - Parameters:
    ///   - name: what the step does, for reports and errors.
    ///   - change: changes the values. If it throws, the store is unchanged. It runs under the lock of the store,
    ///     must not use the store itself, and may run again after a crash.
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
    ///   - values: the values, which collect the changes.
    ///   - path: the path of the store, for errors.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, or the error of reading a value.
    func run(from version: Int, on values: inout LocalMigration<Tree>, path: String) throws(LocalError) {
        for step in steps.dropFirst(version - 1) {
            do {
                try step.change(&values)
            } catch let error as LocalError {
                // The description of these errors says what to do.
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

/// A value of any form in a store: `JSONValue` or ``PropertyListValue``.
public protocol LocalTree: Hashable, Sendable {
    /// Creates the tree of a value.
    ///
    /// - Throws: the error of encoding.
    init(encoding value: some Encodable) throws

    /// Decodes a value from the tree.
    ///
    /// - Throws: the error of decoding.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value

    /// The members of an object or dictionary by name, or `nil` for every other tree.
    var members: [String: Self]? { get }

    /// Creates an object or dictionary.
    init(members: [String: Self])
}

extension LocalTree {
    /// A member of an object or dictionary, or `nil`. Setting `nil` removes it. Setting a member of a tree without
    /// members makes it an object with that member.
    public subscript(name: String) -> Self? {
        get { members?[name] }
        set {
            var changed = members ?? [:]
            changed[name] = newValue
            self = Self(members: changed)
        }
    }

    /// Renames a member; does nothing if it does not exist.
    public mutating func renameMember(_ name: String, to newName: String) {
        guard !name.utf8.elementsEqual(newName.utf8), let member = self[name] else { return }
        self[name] = nil
        self[newName] = member
    }
}
