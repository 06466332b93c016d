#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs Graphviz.
enum Graphviz {
    /// Returns a graph in the DOT language drawn by `dot` in one of its formats.
    ///
    /// - Throws: ``GraphError/missingProgram(name:install:)`` if Graphviz is not installed.
    static func draw(_ text: String, as format: String) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.path + "/dependency-graph-\(UUID().uuidString).dot"
        try Data(text.utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let outcome = try Subprocess.run(
            ["dot", "-T\(format)", file],
            install: "install Graphviz (apt-get install graphviz, brew install graphviz), or choose --format html"
        )
        guard outcome.status == 0 else { throw GraphError.failed(program: "dot", message: outcome.errorText.trimmed) }
        return outcome.output
    }
}
