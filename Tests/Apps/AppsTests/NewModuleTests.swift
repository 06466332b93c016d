import Foundation
import TestSupport
import Testing

@Suite("Scripts/new-module", .timeLimit(.minutes(2)))
struct NewModuleTests {
    private static let edited = ["Package.swift", ".dependency-rules.json", "README.md"]

    /// A folder with the script and the files that it edits.
    private func project() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory("package")
        try folder.copy(Self.edited + ["Scripts/new-module", "Scripts/lib/common.sh"])
        return folder
    }

    private func run(_ folder: TemporaryDirectory, _ arguments: String...) async throws -> ChildResult {
        try await ChildProcess.run(URL(filePath: "/bin/bash"), [folder.file("Scripts/new-module").path] + arguments)
    }

    @Test("A new module has its targets in the manifest, a rule, a row in README.md, a landing page and tests")
    func writes() async throws {
        let folder = try project()
        // At the same time: neither loses the edit of the other.
        async let first = run(folder, "Zeppelins", "network")
        async let second = run(folder, "Balloons", "Local")
        for result in try await [first, second] { #expect(result.status == 0, "\(result.errors)") }
        let dump = try await ChildProcess.run(
            URL(filePath: "/usr/bin/env"),
            ["swift", "package", "--package-path", folder.path, "dump-package"],
            environment: ["PAWKIT_TARGETS": "ZeppelinsTests,BalloonsTests"]
        )
        #expect(dump.status == 0, "\(dump.errors)")
        let manifest = try #require(try JSONSerialization.jsonObject(with: dump.standardOutput) as? [String: Any])
        let targets = try #require(manifest["targets"] as? [[String: Any]])
        let rules = try String(contentsOf: folder.file(".dependency-rules.json"), encoding: .utf8)
        let readme = try String(contentsOf: folder.file("README.md"), encoding: .utf8)
        _ = try JSONSerialization.jsonObject(with: Data(rules.utf8))
        for (name, room) in [("Zeppelins", "Network"), ("Balloons", "Local")] {
            let paths = targets.filter { ($0["name"] as? String)?.hasPrefix(name) == true }.compactMap {
                $0["path"] as? String
            }
            #expect(Set(paths) == ["Modules/\(room)/\(name)", "Tests/\(room)/\(name)Tests"])
            for path in [
                "\(paths[0])/\(name).swift", "\(paths[0])/\(name).docc/\(name).md", "\(paths[1])/\(name)Tests.swift",
            ] {
                #expect(FileManager.default.fileExists(atPath: folder.file(path).path), "\(path)")
            }
            let tests = try String(contentsOf: folder.file("\(paths[1])/\(name)Tests.swift"), encoding: .utf8)
            let imports = tests.split(separator: "\n").prefix { $0.hasPrefix("import ") }
            #expect(imports.count == 3 && Array(imports) == imports.sorted(), "the formatter expects this order")
            #expect(rules.contains("{ \"targets\": [\"\(name)\"], \"allow\": []"))
            #expect(readme.contains("[\(name)](Modules/\(room)/\(name)/\(name).docc/\(name).md)"))
        }
    }

    @Test(
        "What cannot be written changes no file, and the message says why",
        arguments: [
            (["Zeppelins"], 2, "a name and a room are needed"),
            (["zeppelins", "Network"], 2, "must be a capital letter"),
            (["Zeppelins", "Netwrok"], 2, "did you mean Network?"), (["Layout", "Local"], 2, "the name of a room"),
            (["Self", "Local"], 2, "a meaning of its own"), (["ZeppelinTests", "Local"], 2, "a meaning of its own"),
            (["Dispatch", "Local"], 2, "a meaning of its own"),
            (["FoundationXML", "Local"], 2, "a meaning of its own"),
            (["NetworkProvider", "Local"], 1, "in Package.swift already"),
            (["Networkprovider", "Local"], 1, "in Package.swift already"),
        ] as [([String], Int32, String)]
    )
    func refuses(arguments: [String], status: Int32, message: String) async throws {
        let folder = try project()
        let script = [folder.file("Scripts/new-module").path]
        let result = try await ChildProcess.run(URL(filePath: "/bin/bash"), script + arguments)
        #expect(result.status == status && result.errors.contains(message), "\(result.errors)")
        try expectUnchanged(folder)
    }

    @Test("A failure in the middle leaves no file and no change")
    func failsInTheMiddle() async throws {
        let folder = try project()
        // The last file that is written.
        let copy = #"() { case "${!#}" in */README.md) return 1 ;; esac; command cp "$@"; }"#
        let result = try await ChildProcess.run(
            URL(filePath: "/bin/bash"),
            [folder.file("Scripts/new-module").path, "Zeppelins", "Network"],
            environment: ["BASH_FUNC_cp%%": copy]
        )
        #expect(result.status == 1 && result.errors.contains("what it had written is removed"), "\(result.errors)")
        try expectUnchanged(folder)
    }

    private func expectUnchanged(_ folder: TemporaryDirectory) throws {
        for name in ["Modules", "Tests", ".build/edit"] {
            #expect(!FileManager.default.fileExists(atPath: folder.file(name).path))
        }
        for path in Self.edited {
            #expect(
                try Data(contentsOf: folder.file(path)) == Data(contentsOf: Project.root.appending(path: path)),
                "\(path)"
            )
        }
    }
}
