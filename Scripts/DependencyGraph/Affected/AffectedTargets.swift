#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The targets that a change can break, and why.
public struct AffectedTargets: Sendable {
    /// One target and the reason.
    public struct Entry: Sendable, Equatable, Encodable {
        /// The target.
        public var name: String
        /// Whether it holds tests.
        public var isTest: Bool
        /// Why: a file of its own, or the way to a target that changed.
        public var because: String
    }

    /// The targets in the order of the manifest.
    public var entries: [Entry]

    /// Finds what the changes since a git revision can break: the targets they touch, and all that need those.
    ///
    /// A change of Package.swift touches the targets whose definition differs, or everything when something common
    /// does; a change of Package.resolved touches what uses other packages.
    ///
    /// - Throws: ``GraphError`` when git or SwiftPM cannot tell.
    public init(package path: String, since revision: String) throws {
        let reader = PackageReader(path: path)
        let graph = try reader.read()
        let git = GitChanges(root: reader.path, revision: revision)
        let files = try git.files()
        var reasons: [String: String] = [:]

        let folders = graph.targets.filter { !$0.folder.isEmpty }.sorted { $0.folder.count > $1.folder.count }
        for file in files {
            if let owner = folders.first(where: { $0.folder == "." || file.hasPrefix($0.folder + "/") }) {
                reasons[owner.name] = reasons[owner.name] ?? "\(file) changed"
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
            for target in graph.targets where target.kind == .product {
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
                let ways = reasons.keys.sorted().compactMap { graph.shortestPath(from: target.name, to: $0) }
                let way = ways.min { $0.count < $1.count } ?? []
                let end = way.last.flatMap { reasons[$0] } ?? ""
                because = "needs \(way.dropFirst().joined(separator: " -> ")): \(end)"
            }
            return Entry(name: target.name, isTest: target.kind == .test, because: because)
        }
    }

    /// Compares the manifest with the one at the revision, which is put into a folder of its own to be read.
    private static func manifestChanges(_ reader: PackageReader, _ git: GitChanges) throws -> ManifestChanges {
        guard let old = try git.text(of: "Package.swift") else {
            return .everything("Package.swift was not there at \(git.revision)")
        }
        // The last part of the path is the package's identity in the description: it must be the same.
        let parent = FileManager.default.temporaryDirectory.path + "/dependency-graph-\(UUID().uuidString)"
        let folder = parent + "/" + (reader.path.split(separator: "/").last.map(String.init) ?? "package")
        defer { try? FileManager.default.removeItem(atPath: parent) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(old).write(to: URL(filePath: folder + "/Package.swift"))
        let before: Data
        do {
            before = try PackageReader(path: folder).dump()
        } catch {
            return .everything("Package.swift at \(git.revision) cannot be read")
        }
        return try ManifestChanges.between(before, try reader.dump())
    }
}
