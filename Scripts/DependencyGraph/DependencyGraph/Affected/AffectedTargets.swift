import SystemCalls

/// The targets that a change can break, and the reason for each.
struct AffectedTargets: Sendable {
    /// A target and the reason.
    struct Entry: Sendable, Equatable, Encodable {
        /// The name of the target.
        var name: String
        /// Whether it is a test target.
        var isTest: Bool
        /// The reason: a changed file of the target, or the path to a target that changed.
        var because: String
        /// The names from the target along its dependencies to the one that changed; the target alone if it changed itself.
        var path: [String]
        /// What changed at the end of the path.
        var change: String
    }

    /// The targets in the order of the manifest.
    private(set) var entries: [Entry] = []
    /// The changed files, below the package's folder or absolute.
    private(set) var files: [String] = []
    /// What the caller should know besides the targets, such as why none is affected.
    private(set) var notes: [String] = []

    private let graph: PackageGraph
    private var reasons: [String: String] = [:]

    /// Finds the targets that a change can break: the changed ones and all that depend on them.
    ///
    /// A change of Package.swift affects the targets whose definition differs, or all of them if a common setting differs. A
    /// change of Package.resolved affects the targets that use the packages whose pins differ. A change of the toolchain in
    /// .swift-version, or of SwiftPM's settings in .swiftpm/configuration, affects all targets.
    ///
    /// - Parameters:
    ///   - reader: the reader of the package.
    ///   - revision: the git revision to compare with; the changes are those since its common ancestor with the current commit.
    ///   - names: the changed files instead of those that git finds: absolute, or below the package's folder, or else below the
    ///     working folder.
    /// - Throws: ``GraphError`` if git or SwiftPM fails.
    init(_ reader: PackageReader, since revision: String?, files names: [String]? = nil) throws {
        let declared = try reader.read()
        let rules = try DependencyRules(ofPackage: reader.path)
        // A mistyped pattern in "reads" would lose tests.
        try rules.validate(for: declared)
        // An import works without a declaration where the build has the module for another target.
        graph = ImportIndex(graph: declared, flags: Set(rules.defines))
            .graphWithImports(OtherPackages(of: declared, reader, isDeep: true))
        let git = try revision.map { try GitChanges(root: reader.path, since: $0) }
        let packages = LocalPackages(graph: graph, reader)
        files = try names.map { Self.normalised($0, root: reader.path) } ?? git?.files() ?? []
        if names == nil, let git {
            let others = try OtherRepositories(git: git, folders: packages.folders)
            files += others.files
            notes += others.notes
        }

        let inputs = TargetInputs(graph: graph, rules: rules)
        var ignored: [String] = []
        for file in files {
            let users = inputs.users(of: file)
            for (target, reason) in users { add(target, reason) }
            if Self.isForAll(file, root: reader.path.resolvingLinks) {
                for target in graph.targets { add(target.name, "\(file) changed, which is for the whole build") }
            } else if users.isEmpty, !ManifestChanges.isManifest(file), file != "Package.resolved" {
                ignored.append(file)
            }
        }
        if files.contains(where: ManifestChanges.isManifest) { try compareManifests(reader, git) }
        let pins = try files.contains("Package.resolved") ? pinChanges(packages, reader, git) : nil
        for (product, reason) in pins?.products(of: graph) ?? [] { add(product, reason) }
        for change in packages.changes(by: files, pins) {
            for name in change.products { add(name, change.reason) }
        }
        entries = makeEntries()
        explain(ignored)
    }

    private mutating func add(_ target: String, _ reason: String) {
        if reasons[target] == nil { reasons[target] = reason }
    }

    private mutating func compareManifests(_ reader: PackageReader, _ git: GitChanges?) throws {
        guard let git else {
            for target in graph.targets {
                add(target.name, "Package.swift changed, and without --since its changes are unknown")
            }
            return
        }
        let changes = try ManifestChanges.since(git, reader)
        for name in changes.targets { add(name, "its definition in Package.swift changed") }
        for target in graph.targets where changes.packages.contains(target.package?.lowercased() ?? "") {
            add(target.name, "its package in Package.swift changed")
        }
        if let reason = changes.everything { for target in graph.targets { add(target.name, reason) } }
    }

    /// Compares the pins with those at the revision; without one, all pins count as changed.
    private func pinChanges(_ packages: LocalPackages, _ reader: PackageReader, _ git: GitChanges?) throws -> PinChanges
    {
        PinChanges(
            from: try git?.content(of: "Package.resolved"),
            to: git == nil ? nil : try? POSIX.contents(of: reader.path + "/Package.resolved"),
            direct: packages.namedPackages
        )
    }

    /// Walks from the changed targets to their dependents, so that each has a shortest path to a changed one.
    private func makeEntries() -> [Entry] {
        let dependents = graph.dependentsByName
        var next: [String: String] = [:]
        var found: Set<String> = []
        var queue = graph.targets.map(\.name).filter { reasons[$0] != nil && found.insert($0).inserted }
        var index = 0
        while index < queue.count {
            let name = queue[index]
            index += 1
            for dependent in dependents[name] ?? [] where found.insert(dependent).inserted {
                next[dependent] = name
                queue.append(dependent)
            }
        }
        return graph.targets.filter { found.contains($0.name) && $0.kind != .product }.map { target in
            var path = [target.name]
            while let last = path.last, let step = next[last] { path.append(step) }
            let change = path.last.flatMap { reasons[$0] } ?? ""
            return Entry(
                name: target.name,
                isTest: target.kind == .test,
                because: path.count == 1
                    ? change : "depends on \(path.dropFirst().joined(separator: " -> ")): \(change)",
                path: path,
                change: change
            )
        }
    }

    private mutating func explain(_ ignored: [String]) {
        if files.isEmpty {
            notes.append("no file changed")
        } else if entries.isEmpty {
            let names =
                ignored.prefix(5).joined(separator: ", ") + (ignored.count > 5 ? " and \(ignored.count - 5) more" : "")
            notes.append(
                ignored.isEmpty
                    ? "the changes of \(files.joined(separator: ", ")) do not concern any target"
                    : "no target contains \(names) or declares in \"reads\" that it reads them"
            )
        } else if !entries.contains(where: \.isTest) {
            notes.append("no test target depends on what changed")
        }
    }

    /// Whether a file chooses the toolchain, of the package or of the folders above it, or is a setting of SwiftPM.
    private static func isForAll(_ file: String, root: String) -> Bool {
        let version = ".swift-version"
        return file == version || file.hasPrefix(".swiftpm/configuration/")
            || file.hasSuffix("/\(version)") && root.hasPrefix(file.dropLast(version.count))
    }

    private static func normalised(_ names: [String], root: String) -> [String] {
        let paths = names.map { name in
            let own = "\(root)/\(name)"
            // A name that only the working folder has is relative to that one.
            let path = (name.hasPrefix("/") || !Files.exists(own) && Files.exists(name) ? name : own).absolutePath
            return path.relative(to: root) ?? path
        }
        return Set(paths).sorted()
    }
}
