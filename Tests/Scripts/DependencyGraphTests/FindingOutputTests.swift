import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("check: output, baselines and corrections")
struct FindingOutputTests {
    /// A package with an undeclared import in two files and an unused dependency.
    private func package() throws -> FixturePackage {
        try FixturePackage(
            targets:
                ".target(name: \"Core\"), .target(name: \"Extra\"), .target(name: \"User\", dependencies: [\"Extra\"]),",
            files: [
                "Sources/Core/Core.swift": "public struct Core {}",
                "Sources/Extra/Extra.swift": "public struct Extra {}",
                "Sources/User/A, B.swift": "import Core\nlet a = 1", "Sources/User/C.swift": "\nimport Core",
            ]
        )
    }

    @Test("The format github has a workflow command for each place in the repository, with its parts escaped")
    func writesAnnotations() async throws {
        let (package, folder) = (try package(), try TemporaryDirectory("repository"))
        try folder.write("", to: "README.md")
        try await FixturePackage.commit(folder.path)
        try FileManager.default.copyItem(at: URL(filePath: package.folder.path), to: folder.file("in, here"))
        let result = await FixturePackage.run(
            ["check", "--no-cache", "--format", "github"],
            in: folder.file("in, here").path
        )
        let message =
            "User imports Core without declaring it: add \"Core\" to its dependencies in Package.swift, or remove the import"
        #expect(
            result.text == """
                ::error file=in%2C here/Sources/User/A%2C B.swift,line=1,title=undeclared::\(message)
                ::error file=in%2C here/Sources/User/C.swift,line=2,title=undeclared::\(message)
                ::error file=in%2C here/Package.swift,line=8,title=unused::User declares Extra but does not import it: \
                remove the dependency

                """
        )
        #expect(result.status == 1)
        let odd = Finding(.unused, "A", "B", [ImportIndex.Site(file: "a\tb%.swift", line: 3)], "100%\nof it")
        #expect(
            try FindingFormat.github.render([odd])
                == "::error file=a\tb%25.swift,line=3,title=unused::100%25%0Aof it\n"
        )
        #expect(try FindingFormat.sarif.render([odd]).contains("\"a%09b%25.swift\""))
    }

    private static let sarif = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Schemas/sarif-2.1.0.schema.json")

    @Test("The format sarif is valid by the schema of SARIF 2.1.0, and refers to its own rules")
    func writesSARIF() async throws {
        let schema = try JSONSchema(file: Self.sarif)
        let text = try await package().check("--format", "sarif").text
        #expect(try schema.errors(in: Data(text.utf8)) == [])
        let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.map { $0["ruleId"] as? String } == ["undeclared", "unused"])
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        #expect(Set(rules).count == rules.count)
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index] == result["ruleId"] as? String)
            #expect((result["locations"] as? [Any])?.count == 1)
        }
        #expect((results[0]["relatedLocations"] as? [Any])?.count == 1)
        #expect(text.contains("\"uri\" : \"Sources/User/A,%20B.swift\""))
        let none = await (try FixturePackage(targets: "")).run("check", "--no-cache", "--format", "sarif")
        #expect(try schema.errors(in: Data(none.output)) == [])
    }

    @Test(
        "A log that breaks the schema of SARIF is invalid",
        arguments: [
            (#""version" : "2.1.0""#, #""version" : "2.0.0""#, "$.version: 2.0.0 is not one of"),
            (#""startLine" : 1"#, #""startLine" : 0"#, ".region.startLine: 0.0 is low"),
            (#""level" : "error""#, #""level" : "fatal""#, ".level: fatal is not one of"),
            (#""driver""#, #""name""#, "$.runs[0].tool: driver is missing"),
            (
                #""Sources/User/A,%20B.swift""#, #""Sources/User/A, B.swift""#,
                ".uri: Sources/User/A, B.swift is not a uri-reference"
            ),
        ]
    )
    func refusesBrokenSARIF(part: String, replacement: String, error: String) async throws {
        let text = try await package().check("--format", "sarif").text
        #expect(text.contains(part))
        let errors = try JSONSchema(file: Self.sarif).errors(in: Data(text.replacing(part, with: replacement).utf8))
        #expect(errors.contains { $0.contains(error) }, "\(errors)")
    }

    @Test("A baseline leaves only new findings, whatever their lines, and says what no longer exists")
    func comparesWithBaseline() async throws {
        let package = try package()
        let file = package.folder.file("known.json").path
        let missing = await package.check("--baseline", file)
        #expect(missing.status == 2 && missing.errors.contains("--write-baseline creates it"))
        let written = await package.check("--baseline", file, "--write-baseline")
        #expect(written.status == 0 && written.errors == "\(file) has 2 findings now\n")
        let clean = await package.check("--baseline", file)
        #expect(clean.status == 0 && clean.text == "")
        #expect(clean.errors == "0 findings in 3 targets and 1 dependencies; 2 more are in the baseline\n")

        try package.folder.write("\n\nimport Core\nimport User", to: "Sources/User/C.swift")
        try package.folder.write("import Extra", to: "Sources/Core/Core.swift")
        let changed = await package.check("--baseline", file)
        #expect(changed.text.hasPrefix("Sources/Core/Core.swift:1: undeclared: Core imports Extra"))
        #expect(changed.text.split(separator: "\n").count == 1 && changed.status == 1)
        try package.folder.write("import Extra", to: "Sources/User/C.swift")
        let fixed = await package.check("--baseline", file)
        #expect(fixed.errors.contains("1 findings of the baseline no longer exist"))
        try package.folder.write("[]", to: "known.json")
        #expect(await package.check("--baseline", file).errors.contains("is not a baseline"))
    }

    static let refused: [[String]] = [
        ["check", "--write-baseline"], ["check", "--fix", "--format", "json"], ["check", "--fix", "-o", "x"],
        ["check", "--baseline", "b", "--write-baseline", "--format", "json"], ["check", "--focus", "A"],
        ["check", "--since", "main"], ["affected", "--since", "main", "--rules", "x"], ["check", "--format", "dot"],
        ["affected", "--since", "HEAD", "--format", "sarif"], ["--baseline", "x"], ["affected"],
        ["--metrics", "--reduce"], ["--metrics", "--label", "lines"], ["diff", "A", "B", "--full"],
        ["diff", "A", "B", "--comment", "--collapse", "Sources"],
    ]

    @Test("Options that do not apply are refused with the exit status 2", arguments: refused)
    func refusesOptions(arguments: [String]) async throws {
        let result = await FixturePackage.run(arguments, in: "/nowhere")
        #expect(result.status == 2, "\(result.errors)")
        #expect(result.errors.contains("--") || result.errors.contains("cannot be"))
    }

    @Test(
        "--fix declares dependencies in plain lists of any form, and removes unused ones; nothing else remains to be found"
    )
    func fixesManifests() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Core"),
                .target(name: "None"),
                .target(name: "Empty", dependencies: []),
                .target(name: "Line", dependencies: ["Old", "None"], path: "Sources/Line"),
                .target(name: "Old"), .target(name: "Only", dependencies: [.byName(name: "Old"), ]),
                .target(name: "End", dependencies: ["Core", .target(name: "Old", condition: .when(platforms: [.linux]))]),
                .target(
                    name: "Lines",
                    dependencies: [
                        "None",
                        "Old", // is removed
                        "Line", // the last one
                    ]
                ),
                .target(
                    name: "NoComma",
                    dependencies: [
                        .target(name: "None"),
                        .target(name: "Line", condition: .when(platforms: [.linux]))
                    ]
                ),
                .target(name: "Loop", dependencies: ["Back"]), .target(name: "Back", dependencies: ["Loop"]),
                """,
            files: [
                "Sources/Core/S.swift": "public struct Core {}", "Sources/None/S.swift": "import Core",
                "Sources/Empty/S.swift": "import Core\nimport None",
                "Sources/Line/S.swift": "import Core\nimport None\nlet a = 1",
                "Sources/Lines/S.swift": "import Core\nimport None\nimport Line\nlet a = 1",
                "Sources/NoComma/S.swift": "import Core\nimport None\nimport Line",
                "Sources/Old/S.swift": "public struct Old {}", "Sources/Only/S.swift": "let a = 1",
                "Sources/End/S.swift": "import Core\nlet a = 1",
                "Sources/Loop/S.swift": "public struct Loop {}\nlet a = 1",
                "Sources/Back/S.swift": "import Loop\npublic struct Back {}",
            ]
        )
        // The lines end as on Windows.
        try package.changeManifest("\n", to: "\r\n")
        let result = await package.check("--fix")
        #expect(result.status == 0, "\(result.text)\(result.errors)")
        #expect(result.errors == "11 findings fixed, 0 remain\n")
        #expect(await package.check().text == "")
        let written = try package.manifest()
        #expect(written.utf8.count { $0 == UInt8(ascii: "\n") } == written.utf8.count { $0 == UInt8(ascii: "\r") })
        let manifest = written.replacing("\r\n", with: "\n")
        #expect(manifest.contains(#".target(name: "None", dependencies: ["Core"]),"#))
        #expect(manifest.contains(#".target(name: "Line", dependencies: ["None", "Core"], path: "Sources/Line"),"#))
        #expect(manifest.contains(#".target(name: "Only", dependencies: []),"#))
        #expect(manifest.contains(#".target(name: "End", dependencies: ["Core"]),"#))
        #expect(!manifest.contains("is removed"))
        let lines = manifest.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(zip(lines, lines.dropFirst()).contains { $0 == "\"Line\", // the last one" && $1 == "\"Core\"," })
        #expect(zip(lines, lines.dropFirst()).contains { $0.hasSuffix("platforms: [.linux])),") && $1 == "\"Core\"" })
    }

    @Test("--fix prints the line in SwiftPM's manifest where a definition is not a plain list, and leaves it as it is")
    func printsWhatItCannotFix() async throws {
        let package = try package()
        let manifest = """
            // swift-tools-version: 6.1
            import PackageDescription

            func module(_ name: String) -> Target { .target(name: name) }
            let shared: [Target.Dependency] = []
            let package = Package(
                name: "Fixture",
                targets: [
                    module("Core"), .target(name: "Extra"),
                    .target(name: "User", dependencies: shared + []),
                ]
            )

            """
        let other = try package.manifest()
        try package.folder.write(manifest, to: "Package@swift-6.swift")
        try package.folder.write("import Extra", to: "Sources/Core/Core.swift")
        let result = await package.check("--fix")
        #expect(
            result.text == """
                Package@swift-6.swift:9: Core is not a plain definition: add "Extra", to its dependencies by hand
                Package@swift-6.swift:10: User is not a plain definition: add "Core", to its dependencies by hand

                """
        )
        #expect(result.status == 1)
        #expect(try package.manifest() == other)
        #expect(try String(contentsOf: package.folder.file("Package@swift-6.swift"), encoding: .utf8) == manifest)
    }

    @Test(
        "The manifest is the one for exactly the toolchain, or the newest for an older one with a higher tools version"
    )
    func choosesTheManifest() {
        let names = [
            "Package@swift-6.swift", "Package@swift-5.9.swift", "Package@swift-5.10.1.swift", "Package@swift-x.swift",
        ]
        func choice(_ toolchain: [Int], _ tools: [Int]) -> String {
            ManifestName.choose(of: names, toolchain: toolchain) { $0 == ManifestName.usual ? [5, 9, 0] : tools }
        }
        #expect(choice([6, 3, 1], [5, 0, 0]) == "Package@swift-6.swift")
        #expect(choice([5, 9, 2], [5, 0, 0]) == "Package@swift-5.9.swift")
        #expect(choice([5, 10, 2], [5, 10, 0]) == "Package@swift-5.10.1.swift")
        #expect(choice([5, 10, 2], [5, 9, 0]) == "Package.swift")
        #expect(choice([7, 0, 0], [6, 0, 0]) == "Package@swift-6.swift")
        #expect(choice([5, 8, 0], [6, 0, 0]) == "Package.swift")
    }

    @Test("--fix leaves a definition if the manifest undoes the change or it makes a cycle, and changes the others")
    func restoresTheManifest() async throws {
        let package = try package()
        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription

            let shared: [Target.Dependency] = [.target(name: "Core")]
            let package = Package(
                name: "Fixture",
                targets: [.target(name: "Core"), .target(name: "Extra"), .target(name: "User", dependencies: [])]
            )
            for target in package.targets where target.name == "User" { target.dependencies = [] }

            """
        try package.folder.write(manifest, to: "Package.swift")
        try package.folder.write("import Extra", to: "Sources/Core/Core.swift")
        try package.folder.write("import Core", to: "Sources/Extra/Extra.swift")
        let result = await package.check("--fix")
        #expect(
            result.text == """
                Core now declares Extra
                Package.swift:7: with Core, Extra would depend on itself: remove the import
                Package.swift:7: a change of User here has another effect: add "Core", to its dependencies by hand

                """
        )
        #expect(result.status == 1)
        let core = ".target(name: \"Core\")"
        let fixed = ".target(name: \"Core\", dependencies: [\"Extra\"])"
        #expect(try package.manifest() == manifest.replacing("\(core), .target", with: "\(fixed), .target"))
        let text = await package.check().text
        #expect(text.contains(": remove the import, it would make a cycle: Extra -> Core -> Extra\n"), "\(text)")
    }
}
