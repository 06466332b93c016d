/// The tests of a package, according to `swift test list`.
enum TestNames {
    /// Returns the test targets that have no test: a filter for one of them would select nothing, and SwiftPM would not report it.
    ///
    /// - Throws: ``GraphError`` if the tests cannot be built or listed.
    static func withoutTests(among targets: [GraphTarget], root: String) throws -> [String] {
        let outcome = try Subprocess.run(
            ["swift", "test", "list", "--package-path", root],
            install: "install the Swift toolchain (https://www.swift.org/install) or add it to PATH"
        )
        guard outcome.status == 0 else {
            throw GraphError.failed(program: "swift test list", message: (outcome.text + outcome.errorText).trimmed)
        }
        // Each line is "Module.Suite/test()".
        let modules = Set(
            outcome.text.split(separator: "\n").compactMap { $0.split(separator: ".").first.map(String.init) }
        )
        return targets.filter { !modules.contains($0.moduleName) }.map(\.name)
    }
}
