// The generated files import AppLanguage, AppUI, RIBs and TerminalUI.
import AppLanguage
import AppUI
import Foundation
import RIBs
import TerminalUI
import TestSupport
import Testing

/// The generated files are compiled with the settings of this package; a warning is an error.
@Suite("Scripts/new-rib", .enabled(if: PackageCompiler.isAvailable))
struct NewRIBTests {
    private static let script = Project.root.appending(path: "Scripts/new-rib")

    @Test(
        "A generated RIB becomes a feature of the app: targets in the manifest, a rule, and files in the places of the others",
        arguments: [[], ["--viewless"]]
    )
    func becomesFeature(options: [String]) async throws {
        let folder = try project()
        // At the same time: neither loses the edit of the other.
        async let first = ChildProcess.run(folder.file("Scripts/new-rib"), ["Zeppelin"] + options)
        async let second = ChildProcess.run(folder.file("Scripts/new-rib"), ["Zeppelinhangarmaintenance"] + options)
        for result in try await [first, second] { #expect(result.status == 0, "\(result.errors)") }
        let dump = try await ChildProcess.run(
            URL(filePath: "/usr/bin/env"),
            ["swift", "package", "--package-path", folder.path, "dump-package"],
            environment: ["PAWKIT_TARGETS": nil]
        )
        #expect(dump.status == 0, "\(dump.errors)")
        let manifest = try #require(try JSONSerialization.jsonObject(with: dump.standardOutput) as? [String: Any])
        let targets = try #require(manifest["targets"] as? [[String: Any]])
        let paths = Dictionary(
            uniqueKeysWithValues: targets.compactMap { target in
                (target["name"] as? String).map { ($0, target["path"] as? String) }
            }
        )
        let rules = try String(contentsOf: folder.file(".dependency-rules.json"), encoding: .utf8)
        _ = try JSONSerialization.jsonObject(with: Data(rules.utf8))
        for name in ["Zeppelin", "Zeppelinhangarmaintenance"] {
            #expect(paths["\(name)Feature"] == "Apps/Features/\(name)Feature")
            #expect(paths["\(name)FeatureTests"] == "Tests/Apps/Features/\(name)FeatureTests")
            for path in ["Package.swift", "Apps/Features/\(name)Feature", "Tests/Apps/Features/\(name)FeatureTests"] {
                let long = try longLines(below: folder.file(path))
                #expect(long == [], "\(path)")
            }
            let isRIB = FileManager.default.fileExists(
                atPath: folder.file("Apps/Features/\(name)Feature/\(name)Builder.swift").path
            )
            #expect(isRIB && rules.contains("\"\(name)Feature\""))
        }
        let app = targets.first { $0["name"] as? String == "TodoApp" }
        let dependencies = String(describing: app?["dependencies"])
        #expect(dependencies.contains("ZeppelinFeature") && dependencies.contains("ZeppelinhangarmaintenanceFeature"))
        // A second time, nothing is changed.
        let before = try contents(of: folder)
        #expect(try await ChildProcess.run(folder.file("Scripts/new-rib"), ["Zeppelin"]).status == 1)
        // Nor if it fails in the middle, or if the test would belong to no target.
        let copy = #"() { case "${!#}" in */.dependency-rules.json) return 1 ;; esac; command cp "$@"; }"#
        for (arguments, status) in [(["Airship"], 1), (["Airship", "--in", folder.file("src").path], 2)] {
            let failed = try await ChildProcess.run(
                folder.file("Scripts/new-rib"),
                arguments,
                environment: ["BASH_FUNC_cp%%": copy]
            )
            #expect(failed.status == status, "\(failed.errors)")
        }
        #expect(try contents(of: folder) == before)
    }

    @Test("Every awk inserts the same lines, whose ends are those of the file", arguments: ["\n", "\r\n"])
    func insertsLines(end: String) async throws {
        let lines = ["        feature(\"Zeppelin\"),", "        .target(", "            name: \"AirshipFeature\","]
        var manifests: Set<Data> = []
        for awk in ["awk", "mawk", "gawk", "original-awk", "busybox"].compactMap(Programs.find) {
            let folder = try project()
            for path in ["Package.swift", ".dependency-rules.json"] {
                let text = try String(contentsOf: folder.file(path), encoding: .utf8)
                try folder.write(text.replacing("\n", with: end), to: path)
            }
            try FileManager.default.createSymbolicLink(at: folder.file("awk"), withDestinationURL: awk)
            let path = folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
            for arguments in [["Zeppelin"], ["Airship", "--viewless"]] {
                let script = folder.file("Scripts/new-rib")
                let result = try await ChildProcess.run(script, arguments, environment: ["PATH": path])
                #expect(result.status == 0, "\(awk.path): \(result.errors)")
            }
            let manifest = try Data(contentsOf: folder.file("Package.swift"))
            #expect(manifest.firstRange(of: Data(lines.joined(separator: end).utf8)) != nil, "\(awk.path)")
            let feeds = manifest.count { $0 == UInt8(ascii: "\n") }
            #expect(manifest.count { $0 == UInt8(ascii: "\r") } == (end == "\n" ? 0 : feeds), "\(awk.path)")
            manifests.insert(manifest)
        }
        #expect(manifests.count == 1)
    }

    /// A folder with the script and the files that it edits.
    private func project() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory("package")
        try folder.copy(["Package.swift", ".dependency-rules.json", "Scripts/new-rib", "Scripts/lib/common.sh"])
        return folder
    }

    /// The lines of the Swift files of a folder, or of a file, that the formatter finds too long.
    private func longLines(below place: URL) throws -> [Substring] {
        let names = try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
        return try (names ?? [place]).flatMap {
            try String(contentsOf: $0, encoding: .utf8).split(separator: "\n").filter { $0.count > 120 }
        }
    }

    /// The files of a folder by their paths; folders are empty.
    private func contents(of folder: TemporaryDirectory) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(uniqueKeysWithValues: paths.map { ($0, (try? Data(contentsOf: folder.file($0))) ?? Data()) })
    }

    @Test("A generated RIB compiles, with its test", arguments: [[], ["--viewless"]])
    func compiles(options: [String]) async throws {
        let folder = try TemporaryDirectory("rib")
        let written = try await newRIB(["Zeppelinhangarmaintenance"] + options, in: folder)
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output == "")

        let compiler = PackageCompiler(modules: folder)
        #expect(try compiler.swiftFiles(in: "src").count == (options.isEmpty ? 3 : 2))
        try await compiler.emit("ZeppelinhangarmaintenanceFeature", sources: "src")
        #expect(try compiler.swiftFiles(in: "tests").count == 1)
        try await compiler.check(sources: "tests")
    }

    @Test("The generator overwrites nothing, and refuses an invalid name")
    func refuses() async throws {
        let folder = try TemporaryDirectory("rib")
        try folder.write("mine", to: "src/ZeppelinInteractor.swift")
        let taken = try await newRIB(["Zeppelin"], in: folder)
        #expect(taken.status == 1)
        #expect(taken.errors.contains("exists; no file was written"))
        #expect(try String(contentsOf: folder.file("src/ZeppelinInteractor.swift"), encoding: .utf8) == "mine")
        #expect(try PackageCompiler(modules: folder).swiftFiles(in: "src").count == 1)
        for name in ["zeppelin", "Zep pelin", "../Zeppelin", "", "Zéppelin", "Presentable", "Viewless", "Common"] {
            #expect(try await newRIB([name], in: folder).status == 2, "\(name)")
        }
        #expect(try await newRIB(["Zeppelin", "--viewles"], in: folder).errors.contains("did you mean --viewless?"))
    }

    private func newRIB(_ arguments: [String], in folder: TemporaryDirectory) async throws -> ChildResult {
        let places = ["--in", folder.file("src").path, "--tests", folder.file("tests").path]
        return try await ChildProcess.run(Self.script, arguments + places)
    }
}
