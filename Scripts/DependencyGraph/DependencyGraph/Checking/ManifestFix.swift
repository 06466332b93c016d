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
    /// The changes are checked by reading the manifest again. If they have another effect, they are reverted, and each half of
    /// them is tried by itself.
    ///
    /// - Returns: what became of each of these findings.
    /// - Throws: ``GraphError`` if the manifest cannot be read or written.
    func apply(to findings: [Finding]) throws -> [(finding: Finding, outcome: Outcome)] {
        let findings = findings.filter(Self.canFix)
        return Array(zip(findings, try outcomes(of: findings[...]))).map { (finding: $0.0, outcome: $0.1) }
    }

    private func outcomes(of findings: ArraySlice<Finding>) throws -> [Outcome] {
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
        try Files.replace(file, with: text)
        let changes = zip(findings, outcomes).filter { $0.1 == .fixed }.map(\.0)
        if isFixed(changes) { return outcomes }
        try Files.replace(file, with: original)
        guard changes.count > 1 else { return outcomes.map { $0 == .fixed ? .refused : $0 } }
        let half = findings.startIndex + findings.count / 2
        return try self.outcomes(of: findings[..<half]) + self.outcomes(of: findings[half...])
    }

    /// Whether the manifest declares the dependencies that were undeclared, and no longer the unused ones.
    private func isFixed(_ findings: [Finding]) -> Bool {
        guard let graph = try? reader.read() else { return false }
        return findings.allSatisfy { finding in
            let isDeclared = graph.dependencies(of: finding.target).contains {
                $0 == finding.dependency || graph[$0]?.product == finding.dependency
            }
            return isDeclared == (finding.kind == .undeclared)
        }
    }
}
