import JSONValues
import SystemCalls

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The targets that a change can break, and the reason for each.
public struct AffectedTargets: Sendable {
    /// A target and the reason.
    public struct Entry: Sendable, Equatable, Encodable {
        /// The name of the target.
        public var name: String
        /// Whether it is a test target.
        public var isTest: Bool
        /// The reason: a changed file of the target, or the path to a target that changed.
        public var because: String
    }

    /// The targets in the order of the manifest.
    public var entries: [Entry]

    /// Finds the targets that the changes since a git revision can break: the changed ones and all that depend on them.
    ///
    /// A change of Package.swift affects the targets whose definition differs, or all of them if a common setting differs. A
    /// change of Package.resolved affects the targets that use the packages whose pins differ.
    ///
    /// - Throws: ``GraphError`` if git or SwiftPM fails.
    public init(package path: String, since revision: String) throws {
        let reader = PackageReader(path: path)
        let graph = try reader.read()
        let git = try GitChanges(root: reader.path, since: revision)
        let rules = try DependencyRules(ofPackage: reader.path)
        let files = try git.files()
        var reasons: [String: String] = [:]

        let folders = graph.targets.filter { !$0.folder.isEmpty }.sorted { $0.folder.count > $1.folder.count }
        for file in files {
            if let owner = folders.first(where: { $0.folder == "." || file.hasPrefix($0.folder + "/") }) {
                reasons[owner.name] = reasons[owner.name] ?? "\(file) changed"
            }
            for entry in rules.reads where entry.paths.contains(where: { TargetPattern.glob($0, file) }) {
                for target in graph.targets where rules.matches(entry.targets, target, in: graph) {
                    reasons[target.name] = reasons[target.name] ?? "\(file) changed, which it reads"
                }
            }
        }
        if files.contains(where: { $0 == "Package.swift" || $0.hasPrefix("Package@swift-") }) {
            switch try Self.manifestChanges(reader, git) {
            case .targets(let names):
                for name in names { reasons[name] = reasons[name] ?? "its definition in Package.swift changed" }
            case .everything(let reason):
                for target in graph.targets { reasons[target.name] = reasons[target.name] ?? reason }
            }
        }
        if files.contains("Package.resolved") {
            let changed = try PackagePins.changed(
                from: git.text(of: "Package.resolved"),
                to: try? POSIX.contents(of: reader.path + "/Package.resolved")
            )
            for target in graph.targets where target.kind == .product {
                guard changed?.contains(target.package?.lowercased() ?? "") ?? true || target.package == nil else {
                    continue
                }
                reasons[target.name] = "Package.resolved changed"
            }
        }
        entries = Self.entries(of: graph, changed: reasons)
    }

    private static func entries(of graph: PackageGraph, changed reasons: [String: String]) -> [Entry] {
        let affected = graph.reverseClosure(of: reasons.keys)
        return graph.targets.filter { affected.contains($0.name) && $0.kind != .product }.map { target in
            var because = reasons[target.name] ?? ""
            if because.isEmpty {
                let paths = reasons.keys.sorted().compactMap { graph.shortestPath(from: target.name, to: $0) }
                let path = paths.min { $0.count < $1.count } ?? []
                let end = path.last.flatMap { reasons[$0] } ?? ""
                because = "depends on \(path.dropFirst().joined(separator: " -> ")): \(end)"
            }
            return Entry(name: target.name, isTest: target.kind == .test, because: because)
        }
    }

    /// Compares the manifest with the one at the revision, which is written to a temporary folder.
    private static func manifestChanges(_ reader: PackageReader, _ git: GitChanges) throws -> ManifestChanges {
        guard let old = try git.text(of: "Package.swift") else {
            return .everything("Package.swift did not exist at \(git.revision)")
        }
        // The last component of the path is the identity of the package in the description: it must be the same.
        let parent = FileManager.default.temporaryDirectory.path + "/dependency-graph-\(UUID().uuidString)"
        let folder = parent + "/" + (reader.path.split(separator: "/").last.map(String.init) ?? "package")
        defer { try? FileManager.default.removeItem(atPath: parent) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(old).write(to: URL(filePath: folder + "/Package.swift"))
        let before: JSONValue
        do {
            before = try PackageReader(path: folder).dump()
        } catch {
            return .everything("Package.swift at \(git.revision) cannot be read")
        }
        return ManifestChanges.between(before, try reader.dump())
    }
}

/// The changes in the folder of a package since a revision, according to git.
struct GitChanges {
    /// The folder of the package.
    let root: String
    /// The revision to compare with.
    let revision: String

    private static let install = "install git"

    /// Compares with the common ancestor of `revision` and the current commit, so that the changes on `revision` since then
    /// do not count.
    ///
    /// - Throws: ``GraphError`` if git is not installed.
    init(root: String, since revision: String) throws {
        self.root = root
        let outcome = try Subprocess.run(
            ["git", "-C", root, "merge-base", revision, "HEAD"],
            install: Self.install
        )
        // Without a common ancestor, or with an unknown revision, git reports the error when it compares.
        self.revision = outcome.status == 0 ? outcome.text.trimmed : revision
    }

    /// Returns the files below the package that differ between the revision and the working folder, with untracked ones.
    ///
    /// - Throws: ``GraphError`` if the folder is not in a repository or the revision is unknown.
    func files() throws -> [String] {
        let changed = try git(["diff", "--name-only", "--no-renames", "--relative", "-z", revision, "--", "."])
        let untracked = try git(["ls-files", "--others", "--exclude-standard", "-z", "--", "."])
        return Set((changed + untracked).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }).sorted()
    }

    /// Returns the content of a file at the revision, or `nil` if it did not exist.
    func text(of file: String) throws -> [UInt8]? {
        let outcome = try Subprocess.run(
            ["git", "-C", root, "show", "\(revision):./\(file)"],
            install: Self.install
        )
        return outcome.status == 0 ? outcome.output : nil
    }

    private func git(_ arguments: [String]) throws -> [UInt8] {
        let outcome = try Subprocess.run(["git", "-C", root] + arguments, install: Self.install)
        guard outcome.status == 0 else {
            throw GraphError.failed(program: "git \(arguments[0])", message: outcome.errorText.trimmed)
        }
        return outcome.output
    }
}

/// The pins of Package.resolved.
enum PackagePins {
    /// Returns the identities of the packages whose pins differ, or `nil` if a file is missing or has an unknown format.
    static func changed(from old: [UInt8]?, to new: [UInt8]?) -> Set<String>? {
        guard let old = old.flatMap(pins), let new = new.flatMap(pins) else { return nil }
        return Set(Set(old.keys).union(new.keys).filter { old[$0] != new[$0] })
    }

    private static func pins(_ bytes: [UInt8]) -> [String: JSONValue]? {
        guard case .object(let document) = try? JSONValue(parsing: bytes), case .array(let pins) = document["pins"]
        else { return nil }
        var found: [String: JSONValue] = [:]
        for pin in pins {
            guard case .object(let members) = pin, case .string(let identity) = members["identity"] else { return nil }
            found[identity.lowercased()] = pin
        }
        return found
    }
}
