import DependencyGraph
import Foundation
import TestSupport
import Testing

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

    @Test("The format github has a workflow command for each place, with its parts escaped")
    func writesAnnotations() async throws {
        let result = await (try package()).run("check", "--no-cache", "--format", "github")
        let message =
            "User imports Core without declaring it: add \"Core\" to its dependencies in Package.swift, or remove the import"
        #expect(
            result.text == """
                ::error file=Sources/User/A%2C B.swift,line=1,title=undeclared::\(message)
                ::error file=Sources/User/C.swift,line=2,title=undeclared::\(message)
                ::error file=Package.swift,line=8,title=unused::User declares Extra but does not import it: remove the dependency

                """
        )
        #expect(result.status == 1)
    }

    @Test("The format sarif has the structure of SARIF 2.1.0")
    func writesSARIF() async throws {
        let text = await (try package()).run("check", "--no-cache", "--format", "sarif").text
        let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(try SARIFSchema().violations(in: log) == [])
        let runs = try #require(log["runs"] as? [[String: Any]])
        let results = try #require(runs[0]["results"] as? [[String: Any]])
        #expect(results.map { $0["ruleId"] as? String } == ["undeclared", "unused"])
        let related = try #require(results[0]["relatedLocations"] as? [[String: Any]])
        #expect(related.count == 1)
        #expect(text.contains("\"uri\" : \"Sources/User/A,%20B.swift\""))
        // The check of the structure can fail.
        var broken = log
        broken["version"] = "2.0.0"
        broken["runs"] = [["tool": ["driver": ["rules": []]], "results": [["message": [:], "level": "fatal"]]]]
        #expect(try SARIFSchema().violations(in: broken).count >= 4)
    }

    @Test("A baseline leaves only new findings, whatever their lines, and says what no longer exists")
    func comparesWithBaseline() async throws {
        let package = try package()
        let file = package.folder.file("known.json").path
        let missing = await package.run("check", "--no-cache", "--baseline", file)
        #expect(missing.status == 2 && missing.errors.contains("--write-baseline creates it"))
        let written = await package.run("check", "--no-cache", "--baseline", file, "--write-baseline")
        #expect(written.status == 0 && written.errors == "\(file) has 2 findings now\n")
        let clean = await package.run("check", "--no-cache", "--baseline", file)
        #expect(clean.status == 0 && clean.text == "")
        #expect(clean.errors == "0 findings in 3 targets and 1 dependencies; 2 more are in the baseline\n")

        try package.folder.write("\n\nimport Core\nimport User", to: "Sources/User/C.swift")
        try package.folder.write("import Extra", to: "Sources/Core/Core.swift")
        let changed = await package.run("check", "--no-cache", "--baseline", file)
        #expect(changed.text.hasPrefix("Sources/Core/Core.swift:1: undeclared: Core imports Extra"))
        #expect(changed.text.split(separator: "\n").count == 1 && changed.status == 1)
        try package.folder.write("import Extra", to: "Sources/User/C.swift")
        let fixed = await package.run("check", "--no-cache", "--baseline", file)
        #expect(fixed.errors.contains("1 findings of the baseline no longer exist"))
        try package.folder.write("[]", to: "known.json")
        #expect(await package.run("check", "--no-cache", "--baseline", file).errors.contains("is not a baseline"))
    }

    static let refused: [[String]] = [
        ["check", "--write-baseline"], ["check", "--fix", "--format", "json"], ["check", "--fix", "-o", "x"],
        ["check", "--baseline", "b", "--write-baseline", "--format", "json"], ["check", "--focus", "A"],
        ["check", "--since", "main"], ["affected", "--since", "main", "--rules", "x"], ["check", "--format", "dot"],
        ["affected", "--since", "HEAD", "--format", "sarif"], ["--baseline", "x"], ["affected"],
    ]

    @Test("Options that do not apply are refused with the exit status 2", arguments: refused)
    func refusesOptions(arguments: [String]) async throws {
        let result = await FixturePackage.run(arguments, in: "/nowhere")
        #expect(result.status == 2, "\(result.errors)")
        #expect(result.errors.contains("--") || result.errors.contains("cannot be"))
    }

    @Test("--fix declares dependencies in plain lists of any form, and the result has no findings")
    func fixesManifests() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Core"),
                .target(name: "None"),
                .target(name: "Empty", dependencies: []),
                .target(name: "Line", dependencies: ["None"], path: "Sources/Line"),
                .target(
                    name: "Lines",
                    dependencies: [
                        "None",
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
                """,
            files: [
                "Sources/Core/S.swift": "public struct Core {}", "Sources/None/S.swift": "import Core",
                "Sources/Empty/S.swift": "import Core\nimport None", "Sources/Line/S.swift": "import Core\nimport None",
                "Sources/Lines/S.swift": "import Core\nimport None\nimport Line",
                "Sources/NoComma/S.swift": "import Core\nimport None\nimport Line",
            ]
        )
        let result = await package.run("check", "--no-cache", "--fix")
        #expect(result.status == 0, "\(result.text)\(result.errors)")
        #expect(result.errors == "6 dependencies declared, 0 findings remain\n")
        #expect(await package.run("check", "--no-cache").text == "")
        let manifest = try String(contentsOf: package.folder.file("Package.swift"), encoding: .utf8)
        #expect(manifest.contains(#".target(name: "None", dependencies: ["Core"]),"#))
        #expect(manifest.contains(#".target(name: "Line", dependencies: ["None", "Core"], path: "Sources/Line"),"#))
        let lines = manifest.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(zip(lines, lines.dropFirst()).contains { $0 == "\"Line\", // the last one" && $1 == "\"Core\"," })
        #expect(zip(lines, lines.dropFirst()).contains { $0.hasSuffix("platforms: [.linux])),") && $1 == "\"Core\"" })
    }

    @Test("--fix prints the line where a definition is not a plain list, and leaves the manifest as it is")
    func printsWhatItCannotFix() async throws {
        let package = try package()
        let manifest = """
            // swift-tools-version: 6.0
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
        try package.folder.write(manifest, to: "Package.swift")
        try package.folder.write("import Extra", to: "Sources/Core/Core.swift")
        let result = await package.run("check", "--no-cache", "--fix")
        #expect(
            result.text == """
                Package.swift:9: Core is not a plain definition: add "Extra", to its dependencies by hand
                Package.swift:10: User is not a plain definition: add "Core", to its dependencies by hand

                """
        )
        #expect(result.status == 1)
        #expect(try String(contentsOf: package.folder.file("Package.swift"), encoding: .utf8) == manifest)
    }
}

/// The parts of the SARIF 2.1.0 schema (OASIS, sarif-schema-2.1.0.json) that concern the members which the tool writes:
/// required members, types and enumerations.
private struct SARIFSchema {
    /// Returns what violates the schema.
    func violations(in log: [String: Any]) throws -> [String] {
        var found: [String] = []
        func expect(_ condition: Bool, _ message: String) { if !condition { found.append(message) } }
        expect(log["version"] as? String == "2.1.0", "version")
        expect((log["$schema"] as? String).flatMap(URL.init(string:))?.scheme == "https", "$schema")
        expect(Set(log.keys).isSubset(of: ["$schema", "version", "runs"]), "members of the log")
        guard let runs = log["runs"] as? [[String: Any]] else { return found + ["runs"] }
        for run in runs {
            let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
            expect(driver?["name"] is String, "tool.driver.name")
            let rules = driver?["rules"] as? [[String: Any]] ?? []
            let identifiers = rules.compactMap { $0["id"] as? String }
            expect(identifiers.count == rules.count && Set(identifiers).count == rules.count, "rules.id")
            expect(rules.allSatisfy { isMessage($0["shortDescription"]) }, "rules.shortDescription")
            expect(["utf16CodeUnits", "unicodeCodePoints"].contains(run["columnKind"] as? String ?? ""), "columnKind")
            for result in run["results"] as? [[String: Any]] ?? [] {
                expect(isMessage(result["message"]), "result.message")
                expect(["none", "note", "warning", "error"].contains(result["level"] as? String ?? ""), "result.level")
                let index = result["ruleIndex"] as? Int ?? -2
                expect(
                    identifiers.indices.contains(index) && identifiers[index] == result["ruleId"] as? String,
                    "result.ruleIndex"
                )
                expect((result["locations"] as? [Any])?.count == 1, "result.locations")
                expect(result["partialFingerprints"] is [String: String], "result.partialFingerprints")
                let places = ["locations", "relatedLocations"].flatMap { result[$0] as? [[String: Any]] ?? [] }
                expect(places.allSatisfy(isLocation), "location")
            }
        }
        return found
    }

    private func isMessage(_ value: Any?) -> Bool { (value as? [String: Any])?["text"] is String }

    private func isLocation(_ value: [String: Any]) -> Bool {
        guard let physical = value["physicalLocation"] as? [String: Any],
            let artifact = physical["artifactLocation"] as? [String: Any], let uri = artifact["uri"] as? String,
            let region = physical["region"] as? [String: Any], let line = region["startLine"] as? Int
        else { return false }
        // A URI reference has no spaces, and a relative one with a base does not begin with a slash.
        return line >= 1 && !uri.contains(" ") && !uri.hasPrefix("/") && URL(string: uri) != nil
            && artifact["uriBaseId"] is String
    }
}
