/// Declares undeclared dependencies in Package.swift, and removes unused ones.
struct ManifestFix {
    /// What became of a finding.
    enum Outcome: Equatable {
        /// The manifest is as the finding advises.
        case fixed
        /// The definition is not a plain list.
        case notPlain
        /// SwiftPM no longer read the manifest, or read other dependencies: the manifest is as before.
        case refused
    }

    let reader: PackageReader

    /// Whether a finding is about a dependency that the manifest should have or lack.
    static func canFix(_ finding: Finding) -> Bool { finding.kind == .undeclared || finding.kind == .unused }

    /// Declares or removes the dependency of each finding of the kinds ``Finding/Kind/undeclared`` and
    /// ``Finding/Kind/unused``.
    ///
    /// The changes are checked by reading the manifest again; they are reverted if they have another effect.
    ///
    /// - Returns: what became of each of these findings.
    /// - Throws: ``GraphError`` if the manifest cannot be read or written.
    func apply(to findings: [Finding]) throws -> [(finding: Finding, outcome: Outcome)] {
        let findings = findings.filter(Self.canFix)
        guard !findings.isEmpty else { return [] }
        let file = reader.path + "/Package.swift"
        let original = try Files.read(file)
        var text = original
        var outcomes: [Outcome] = []
        for finding in findings {
            let source = ManifestSource(text)
            let changed =
                finding.kind == .unused
                ? source.removing(finding.dependency, from: finding.target)
                : finding.declaration.flatMap { source.adding($0, to: finding.target) }
            outcomes.append(changed == nil ? .notPlain : .fixed)
            text = changed ?? text
        }
        if text != original {
            try Files.write(text, to: file)
            if !isFixed(zip(findings, outcomes).filter { $0.1 == .fixed }.map(\.0)) {
                try Files.write(original, to: file)
                outcomes = outcomes.map { $0 == .fixed ? .refused : $0 }
            }
        }
        return Array(zip(findings, outcomes)).map { (finding: $0.0, outcome: $0.1) }
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
