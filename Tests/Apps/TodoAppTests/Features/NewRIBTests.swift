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
        let folder = try TemporaryDirectory("package")
        for path in ["Package.swift", ".dependency-rules.json", "Scripts/new-rib", "Scripts/lib/common.sh"] {
            let place = folder.file(path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.copyItem(at: Project.root.appendingPathComponent(path), to: place)
        }
        for name in ["Garden", "Guide"] {
            let result = try await ChildProcess.run(folder.file("Scripts/new-rib"), [name] + options)
            #expect(result.status == 0, "\(result.errors)")
        }
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
        for name in ["Garden", "Guide"] {
            #expect(paths["\(name)Feature"] == "Apps/Features/\(name)Feature")
            #expect(paths["\(name)FeatureTests"] == "Tests/Apps/Features/\(name)FeatureTests")
            let isRIB = FileManager.default.fileExists(
                atPath: folder.file("Apps/Features/\(name)Feature/\(name)Builder.swift").path
            )
            #expect(isRIB && rules.contains("\"\(name)Feature\""))
        }
        let app = targets.first { $0["name"] as? String == "TodoApp" }
        let dependencies = String(describing: app?["dependencies"])
        #expect(dependencies.contains("GardenFeature") && dependencies.contains("GuideFeature"))
        // A second time, nothing is changed.
        let before = try Data(contentsOf: folder.file("Package.swift"))
        #expect(try await ChildProcess.run(folder.file("Scripts/new-rib"), ["Garden"]).status == 1)
        #expect(try Data(contentsOf: folder.file("Package.swift")) == before)
    }

    @Test("A generated RIB compiles, with its test", arguments: [[], ["--viewless"]])
    func compiles(options: [String]) async throws {
        let folder = try TemporaryDirectory("rib")
        let written = try await newRIB(["Garden"] + options, in: folder)
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output == "")

        let compiler = PackageCompiler(modules: folder)
        #expect(try compiler.swiftFiles(in: "src").count == (options.isEmpty ? 3 : 2))
        try await compiler.emit("GardenFeature", sources: "src")
        #expect(try compiler.swiftFiles(in: "tests").count == 1)
        try await compiler.check(sources: "tests")
    }

    @Test("The generator overwrites nothing, and refuses an invalid name")
    func refuses() async throws {
        let folder = try TemporaryDirectory("rib")
        try folder.write("mine", to: "src/GardenInteractor.swift")
        let taken = try await newRIB(["Garden"], in: folder)
        #expect(taken.status == 1)
        #expect(taken.errors.contains("exists; no file was written"))
        #expect(try String(contentsOf: folder.file("src/GardenInteractor.swift"), encoding: .utf8) == "mine")
        #expect(try PackageCompiler(modules: folder).swiftFiles(in: "src").count == 1)
        for name in ["garden", "Gar den", "../Garden", ""] {
            #expect(try await newRIB([name], in: folder).status == 2, "\(name)")
        }
        #expect(try await newRIB(["Garden", "--viewles"], in: folder).errors.contains("did you mean --viewless?"))
    }

    private func newRIB(_ arguments: [String], in folder: TemporaryDirectory) async throws -> ChildResult {
        let places = ["--in", folder.file("src").path, "--tests", folder.file("tests").path]
        return try await ChildProcess.run(Self.script, arguments + places)
    }
}
