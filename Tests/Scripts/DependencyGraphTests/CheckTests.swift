import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

/// A package and the findings in it.
struct CheckedPackage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var targets: String
    var files: [String: String]
    var findings: String

    init(_ description: String, targets: String, files: [String: String], findings: String = "") {
        (testDescription, self.targets, self.files, self.findings) = (description, targets, files, findings)
    }

    /// Expects the findings, and the exit status that belongs to them.
    func expect() async throws {
        let result = await (try FixturePackage(targets: targets, files: files)).check()
        #expect(result.text == findings, "\(result.errors)")
        #expect(result.status == (findings.isEmpty ? 0 : 1))
    }
}

@Suite("check, on real packages")
struct CheckTests {
    static let packages: [CheckedPackage] = [
        CheckedPackage(
            "a valid package",
            targets: """
                .target(name: "Core"),
                .target(name: "Feature", dependencies: ["Core"]),
                .testTarget(name: "FeatureTests", dependencies: ["Feature"]),
                """,
            files: [
                "Sources/Core/Core.swift": "public struct Core {}",
                "Sources/Feature/Feature.swift": "public import struct Core.Core\n// import Nothing",
                "Tests/FeatureTests/FeatureTests.swift": "@testable import Feature\nimport Testing",
            ]
        ),
        CheckedPackage(
            "a cycle, with which SwiftPM cannot resolve the package",
            targets: """
                .target(name: "A", dependencies: ["B"]),
                .target(name: "B", dependencies: ["C"]),
                .target(name: "C", dependencies: ["A"]),
                """,
            files: [
                "Sources/A/A.swift": "import B", "Sources/B/B.swift": "import C", "Sources/C/C.swift": "import A",
            ],
            findings: "Package.swift:8: cycle: A -> B -> C -> A: break the cycle at one of these edges\n"
        ),
        CheckedPackage(
            "an undeclared import; one in a canImport condition of its own module is optional",
            targets: coreExtraFeature,
            files: [
                "Sources/Core/Core.swift": "", "Sources/Extra/Extra.swift": "",
                "Sources/Feature/Deep/Feature.swift": """
                /* import Extra */
                let text = "import Extra"

                @_spi(Testing) public import Core.Sub
                #if canImport(Extra)
                import Extra
                #endif
                """,
            ],
            findings: undeclared("Core", at: "Sources/Feature/Deep/Feature.swift:4")
        ),
        CheckedPackage(
            "an undeclared import in a canImport condition of another module",
            targets: coreExtraFeature,
            files: [
                "Sources/Core/Core.swift": "", "Sources/Extra/Extra.swift": "",
                "Sources/Feature/Feature.swift": """
                #if canImport(Core)
                import Extra
                #endif
                #if canImport(Extra) && canImport(Core)
                import Core
                #endif
                """,
            ],
            findings: undeclared("Extra", at: "Sources/Feature/Feature.swift:2")
        ),
        CheckedPackage(
            "a dependency that the rules do not allow, at its import, with the reason",
            targets: """
                .target(name: "Model"),
                .target(name: "Screen"),
                .target(name: "Store", dependencies: ["Screen", "Model"]),
                """,
            files: [
                "Sources/Model/Model.swift": "", "Sources/Screen/Screen.swift": "",
                "Sources/Store/Store.swift": "import Model\nimport Screen",
                ".dependency-rules.json": """
                {"rules": [{"targets": ["Store"], "allow": ["Model"], "because": "a store draws nothing"}]}
                """,
            ],
            findings: """
                Sources/Store/Store.swift:2: forbidden: Store must not depend on Screen; allowed: Model \
                (a store draws nothing)

                """
        ),
        CheckedPackage(
            "an indirect dependency that a rule for a folder forbids, with its path",
            targets: """
                .target(name: "App", path: "Apps/App"),
                .target(name: "Middle", dependencies: ["App"], path: "Modules/Middle"),
                .target(name: "Base", dependencies: ["Middle"], path: "Modules/Base"),
                """,
            files: [
                "Apps/App/App.swift": "", "Modules/Middle/Middle.swift": "@_exported import App",
                "Modules/Base/Base.swift": "import Middle",
                ".dependency-rules.json": #"{"rules": [{"targets": ["Modules/B*"], "forbid": ["Apps/*"]}]}"#,
            ],
            findings: "Modules/Base/Base.swift:1: forbidden: Base must not reach App: Base -> Middle -> App\n"
        ),
        CheckedPackage(
            "an unused dependency, which another one imports for itself, but not C targets, re-exports, tools and generated sources",
            targets: """
                .target(name: "CThing"),
                .target(name: "Base", dependencies: ["CThing"]),
                .target(name: "Umbrella", dependencies: ["Base", "Left"]),
                .target(name: "Left"),
                .executableTarget(name: "tool"),
                .target(name: "User", dependencies: ["Umbrella", "Base", "CThing", "CSystem", "tool", "Left"]),
                .systemLibrary(name: "CSystem"),
                """,
            files: [
                "Sources/CThing/CThing.c": "", "Sources/CThing/include/module.modulemap": "module Thing { }",
                "Sources/CSystem/module.modulemap":
                    "module SystemThing [system] { link \"x\" explicit module Left { } } module Base { }",
                "Sources/Base/Base.swift": "@_exported import Thing",
                "Sources/Umbrella/Umbrella.swift": "@_exported public import Base\nimport Left",
                "Sources/Left/Left.swift": "public struct Left {}", "Sources/tool/main.swift": "",
                "Sources/User/User.swift": "import Umbrella\nimport SystemThing\nlet user = 1",
            ],
            findings: "Package.swift:13: unused: User declares Left but does not import it: remove the dependency\n"
        ),
        CheckedPackage(
            "the sources directly in Sources and Tests of a package with one target of the kind",
            targets: ".target(name: \"Only\", sources: [\"./\"]), .testTarget(name: \"OnlyTests\"),",
            files: ["Sources/Only.swift": "import OnlyTests", "Tests/Deep/T.swift": "import Only"],
            findings: undeclared("OnlyTests", by: "Only", at: "Sources/Only.swift:1")
                + undeclared("Only", by: "OnlyTests", at: "Tests/Deep/T.swift:1")
        ),
    ]

    private static let coreExtraFeature =
        ".target(name: \"Core\"), .target(name: \"Extra\"), .target(name: \"Feature\"),"

    private static func undeclared(_ module: String, by target: String = "Feature", at place: String) -> String {
        "\(place): undeclared: \(target) imports \(module) without declaring it: add \"\(module)\" to its dependencies in "
            + "Package.swift, or remove the import\n"
    }

    @Test("Findings have the file, the line and what to do", arguments: packages)
    func finds(package: CheckedPackage) async throws { try await package.expect() }

    @Test("--rules names another rules file")
    func readsOtherRules() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\", dependencies: [\"B\"]), .target(name: \"B\"),",
            files: [
                "Sources/A/A.swift": "import B", "Sources/B/B.swift": "",
                "rules.json": #"{"rules": [{"targets": ["A"], "forbid": ["B"]}]}"#,
            ]
        )
        #expect(await package.check().text == "")
        let text = await package.check("--rules", package.folder.file("rules.json").path).text
        #expect(text == "Sources/A/A.swift:1: forbidden: A must not reach B: A -> B\n")
    }

    @Test("A symbolic link to a folder above does not lead around", .timeLimit(.minutes(5)))
    func survivesLinks() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\"), .target(name: \"B\"),",
            files: ["Sources/A/A.swift": "import B", "Sources/B/B.swift": ""]
        )
        for name in ["one", "two", "three"] {
            let link = package.folder.file("Sources/A/\(name)").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../A")
        }
        let lines = await package.check().text.split(separator: "\n")
        #expect(lines.count == 4, "\(lines)")
        let message = "the symbolic link leads to a folder above it; remove the link, or exclude it"
        #expect(lines.first == "Sources/A/one:1: fault: Sources/A/one: \(message)")
        #expect(lines.last?.hasPrefix("Sources/A/A.swift:1: undeclared") == true, "\(lines)")
        // Two links to another folder have its sources once, without a fault.
        try package.folder.write("import B", to: "Shared/S.swift")
        for name in ["one", "two"] {
            let link = package.folder.file("Sources/A/\(name)")
            try FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "../../Shared")
        }
        try FileManager.default.removeItem(at: package.folder.file("Sources/A/three"))
        let linked = await package.check().text.split(separator: "\n")
        #expect(linked.count == 1 && linked[0].hasSuffix("; also at Sources/A/one/S.swift:1"), "\(linked)")
    }

    @Test("Findings can be written as JSON")
    func writesJSON() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"Alone\", dependencies: [\"Alone\"])",
            files: ["Sources/Alone/Alone.swift": ""]
        )
        let result = await package.check("--format", "json")
        #expect(result.text.contains("\"kind\" : \"cycle\"") && result.text.contains("\"line\" : 8"))
        #expect(result.status == 1)
    }

    @Test("A rules file with an unknown key is refused: a mistyped rule would have no effect")
    func refusesUnknownKeys() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\")",
            files: [
                "Sources/A/A.swift": "", ".dependency-rules.json": #"{"rules": [{"targets": ["A"], "alow": []}]}"#,
            ]
        )
        let result = await package.check()
        #expect(result.errors.contains("unknown key \"alow\"; the keys are: allow, because, forbid, targets"))
        #expect(result.status == 2)
    }
}
