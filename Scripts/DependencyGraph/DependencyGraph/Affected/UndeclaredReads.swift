import SystemCalls

/// Finds the files that tests read although neither their targets contain them nor the rules file declares them: a change of
/// such a file would not select the tests.
///
/// The tests run one target after the other, with their file opens traced by strace.
struct UndeclaredReads {
    /// A test target and the files that it reads.
    struct Finding: Encodable, Equatable {
        var target: String
        var files: [String]
    }

    /// A test target whose run under strace failed, and its failed tests as far as its output names them.
    struct Failure: Equatable {
        var target: String
        var tests: [String]
    }

    let graph: PackageGraph
    let rules: DependencyRules
    /// The program of the package's tests, as a build for Linux has written it; `nil` for one that is built first.
    var program: String?

    /// Returns a finding for each of the test targets that reads undeclared files.
    ///
    /// A target with a failed test is run again, one test at a time. A test that fails again does not end the search: the trace
    /// is useful nevertheless.
    ///
    /// - Parameter targets: the names of the test targets.
    /// - Returns: the findings and the failures, in the order of `targets`.
    /// - Throws: ``GraphError`` if strace or the program is missing or the build fails.
    func findings(in targets: [String]) throws -> (findings: [Finding], failures: [Failure]) {
        var runTests = ["swift", "test", "--package-path", graph.root, "--skip-build"]
        if let program {
            guard access(program, X_OK) == 0 else {
                throw GraphError.usage("there is no program \(program): build it with swift build --build-tests")
            }
            runTests = [program, "--testing-library", "swift-testing"]
        } else {
            try build()
        }
        let known = try Git(folder: graph.root).knownFiles()
        let inputs = TargetInputs(graph: graph, rules: rules)
        var found: (findings: [Finding], failures: [Failure]) = ([], [])
        for target in targets {
            let module = graph[target]?.moduleName ?? target
            let command = runTests + ["--filter", "^\(module)\\."]
            let first = try trace(command)
            var read = first.files
            if first.outcome.status != 0 {
                // Under strace, tests that run at the same time may exceed their time limits.
                let again = try trace(command + ["--no-parallel"])
                read.formUnion(again.files)
                if let failure = Self.failure(of: target, in: [first.outcome, again.outcome]) {
                    found.failures.append(failure)
                }
            }
            let files = undeclared(in: read, target, known, inputs)
            if !files.isEmpty { found.findings.append(Finding(target: target, files: files)) }
        }
        return found
    }

    /// Returns the tests that have failed in both runs of a target, or `nil` if each has passed once. Without names, which a
    /// crash leaves behind, the second run decides.
    static func failure(of target: String, in runs: [Subprocess.Outcome]) -> Failure? {
        guard let last = runs.last, last.status != 0 else { return nil }
        let names = runs.map { failedTests(in: $0.text + $0.errorText) }
        let tests = (names.last ?? []).filter { name in names.allSatisfy { $0.contains(name) } }
        return tests.isEmpty && !names.contains([]) ? nil : Failure(target: target, tests: tests)
    }

    /// Returns the names of the failed tests in the output of `swift test`: of Swift Testing as it displays them, of XCTest with
    /// their class.
    static func failedTests(in output: String) -> [String] {
        output.split(whereSeparator: \.isNewline).compactMap { line in
            let failed = /✘ Test (?!run )"?(.+?)"?(?: with [0-9]+ test cases?)? failed after\b/
            if let match = line.firstMatch(of: failed) { return String(match.1) }
            return line.firstMatch(of: /^Test Case '(.+)' failed \(/).map { String($0.1) }
        }
    }

    /// Returns the files of the package that a trace has, but that the target does not depend on.
    func undeclared(
        in files: Set<String>,
        _ target: String,
        _ known: Set<String>?,
        _ inputs: TargetInputs
    ) -> [String] {
        let reach = graph.closure(of: [target])
        return Set(files).compactMap { path in
            guard let file = path.relative(to: graph.root) else { return nil }
            // What git ignores, such as the build folder, is in no change.
            guard !file.hasPrefix(".build/"), !file.hasPrefix(".git/"), known?.contains(file) ?? true else {
                return nil
            }
            return inputs.users(of: file).contains { reach.contains($0.target) } ? nil : file
        }
        .sorted()
    }

    private func build() throws {
        let build = try run(["swift", "build", "--package-path", graph.root, "--build-tests"])
        guard build.status == 0 else {
            let output = (build.text + build.errorText).trimmed.split(separator: "\n").suffix(20)
            throw GraphError.failed(program: "swift build --build-tests", message: output.joined(separator: "\n"))
        }
    }

    private func trace(_ command: [String]) throws -> (files: Set<String>, outcome: Subprocess.Outcome) {
        try Files.withTemporaryFolder { folder in
            let file = folder + "/trace"
            let calls = "trace=open,openat,openat2,creat,execve,fork,vfork,clone,clone3"
            // The filter in the kernel stops a process at these calls only.
            let strace = "strace -f --seccomp-bpf -qq -z -y -s 4096 -e \(calls) -o".split(separator: " ").map(
                String.init
            )
            let outcome = try run(strace + [file, "--"] + command)
            guard let bytes = try? Files.read(file) else {
                throw GraphError.failed(program: "strace", message: outcome.errorText.trimmed)
            }
            return (FileTrace(String(decoding: bytes, as: UTF8.self)).files, outcome)
        }
    }

    private func run(_ command: [String]) throws -> Subprocess.Outcome {
        try Subprocess.run(command, install: "install it (apt-get install strace); --verify needs Linux")
    }
}
