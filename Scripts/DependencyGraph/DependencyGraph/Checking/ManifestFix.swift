/// Declares undeclared dependencies in Package.swift.
struct ManifestFix {
    /// What became of a finding.
    enum Outcome: Equatable {
        /// The dependency is declared now.
        case declared
        /// The definition is not a plain list.
        case notPlain
        /// SwiftPM no longer read the manifest, or read other dependencies: the manifest is as before.
        case refused
    }

    let reader: PackageReader

    /// Declares the dependency of each finding of the kind ``Finding/Kind/undeclared``.
    ///
    /// Each change is checked by reading the manifest again; one that has another effect is reverted.
    ///
    /// - Returns: what became of each of these findings.
    /// - Throws: ``GraphError`` if the manifest cannot be read or written.
    func apply(to findings: [Finding]) throws -> [(finding: Finding, outcome: Outcome)] {
        let undeclared = findings.filter { $0.kind == .undeclared }
        guard !undeclared.isEmpty else { return [] }
        let file = reader.path + "/Package.swift"
        let original = try Files.read(file)
        var text = original
        var outcomes: [Outcome] = []
        for finding in undeclared {
            guard let declaration = finding.declaration,
                let changed = ManifestSource(text).adding(declaration, to: finding.target)
            else {
                outcomes.append(.notPlain)
                continue
            }
            text = changed
            outcomes.append(.declared)
        }
        if text != original {
            try Files.write(text, to: file)
            if !isDeclared(zip(undeclared, outcomes).filter { $0.1 == .declared }.map(\.0)) {
                try Files.write(original, to: file)
                outcomes = outcomes.map { $0 == .declared ? .refused : $0 }
            }
        }
        return Array(zip(undeclared, outcomes)).map { (finding: $0.0, outcome: $0.1) }
    }

    /// Whether the manifest declares the dependencies of all findings.
    private func isDeclared(_ findings: [Finding]) -> Bool {
        guard let graph = try? reader.read() else { return false }
        return findings.allSatisfy { finding in
            graph.dependencies(of: finding.target).contains {
                $0 == finding.dependency || graph[$0]?.product == finding.dependency
            }
        }
    }
}
