import EssentialFoundation
import SystemCalls

/// Declares undeclared dependencies in the manifest, and removes unused ones.
struct ManifestFix {
    /// What became of a finding.
    enum Outcome: Equatable {
        /// The manifest is as the finding advises.
        case fixed
        /// The definition is not a plain list.
        case notPlain
        /// The manifest does not name the package of the product.
        case unknownPackage
        /// With the change SwiftPM no longer reads the manifest, or reads other dependencies: the definition is as before.
        case refused
        /// With the change targets depend on each other, which SwiftPM refuses: the definition is as before.
        case cycle
    }

    let reader: PackageReader
    /// The name of the manifest that SwiftPM reads.
    let manifest: String

    private var file: String { "\(reader.path)/\(manifest)" }

    /// Whether a finding is about a dependency that the manifest should have or lack.
    static func canFix(_ finding: Finding) -> Bool { finding.kind == .undeclared || finding.kind == .unused }

    /// Declares or removes the dependency of each finding of the kinds ``Finding/Kind/undeclared`` and
    /// ``Finding/Kind/unused``.
    ///
    /// The changes are checked by reading a changed copy of the manifest, so that the manifest is never written in a state that
    /// is refused. If they have another effect, each half of them is tried by itself.
    ///
    /// - Returns: what became of each of these findings.
    /// - Throws: ``GraphError`` if the manifest cannot be read or written.
    func apply(to findings: [Finding]) throws -> [(finding: Finding, outcome: Outcome)] {
        let findings = findings.filter(Self.canFix)
        guard !findings.isEmpty else { return [] }
        var cyclic = Set(try reader.read().cyclicGroups.joined())
        return Array(zip(findings, try outcomes(of: findings[...], &cyclic))).map { (finding: $0.0, outcome: $0.1) }
    }

    /// Changes the manifest for some findings, without a target on a cycle that is not in `cyclic`.
    private func outcomes(of findings: ArraySlice<Finding>, _ cyclic: inout Set<String>) throws -> [Outcome] {
        guard !findings.isEmpty else { return [] }
        let original = try Files.read(file)
        var text = original
        var outcomes: [Outcome] = []
        for finding in findings {
            let source = ManifestSource(text)
            let changed =
                finding.kind == .unused
                ? source.removing(finding.dependency, from: finding.target)
                : finding.declaration.flatMap { source.adding($0, to: finding.target) }
            let isUnknown = finding.kind == .undeclared && finding.declaration == nil
            outcomes.append(changed != nil ? .fixed : isUnknown ? .unknownPackage : .notPlain)
            text = changed ?? text
        }
        guard text != original else { return outcomes }
        let changes = zip(findings, outcomes).filter { $0.1 == .fixed }.map(\.0)
        var failure = Outcome.refused
        if let graph = try graph(with: text), Self.isFixed(changes, in: graph) {
            let newCyclic = Set(graph.cyclicGroups.joined())
            if newCyclic.isSubset(of: cyclic) {
                try Files.replace(file, with: text)
                cyclic = newCyclic
                return outcomes
            }
            failure = .cycle
        }
        guard changes.count > 1 else { return outcomes.map { $0 == .fixed ? failure : $0 } }
        let half = findings.startIndex + findings.count / 2
        return try self.outcomes(of: findings[..<half], &cyclic) + self.outcomes(of: findings[half...], &cyclic)
    }

    /// Returns the graph of the package with another text of the manifest, or `nil` if SwiftPM cannot read that.
    private func graph(with text: [UInt8]) throws -> PackageGraph? {
        try Files.withTemporaryFolder { prefix in
            // The same path below another folder, with links to the files beside the manifest, which it may read.
            let folder = prefix + reader.path
            try Files.makeFolders(folder)
            for name in (try? POSIX.list(reader.path)) ?? [] where name != manifest && !name.hasPrefix(".") {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/\(name)",
                    withDestinationPath: "\(reader.path)/\(name)"
                )
            }
            try Files.write(text, to: "\(folder)/\(manifest)")
            return try? reader.reader(of: folder).read()
        }
    }

    /// Whether a graph has the dependencies that were undeclared, and no longer the unused ones.
    private static func isFixed(_ findings: [Finding], in graph: PackageGraph) -> Bool {
        findings.allSatisfy { finding in
            let isDeclared = graph.dependencies(of: finding.target).contains {
                $0 == finding.dependency || graph[$0]?.product == finding.dependency
            }
            return isDeclared == (finding.kind == .undeclared)
        }
    }
}
