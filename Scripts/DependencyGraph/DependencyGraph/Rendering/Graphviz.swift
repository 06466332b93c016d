/// Runs Graphviz.
enum Graphviz {
    /// Returns a graph in the DOT language drawn by `dot` in one of its formats.
    ///
    /// - Throws: ``GraphError/missingProgram(name:install:)`` if Graphviz is not installed.
    static func draw(_ text: String, as format: String) throws -> [UInt8] {
        try Files.withTemporaryFolder { folder in
            try Files.write(Array(text.utf8), to: folder + "/graph.dot")
            return try Subprocess.output(
                of: ["dot", "-T\(format)", folder + "/graph.dot"],
                install: "install Graphviz (apt-get install graphviz, brew install graphviz), or choose --format html"
            )
        }
    }
}
