import DependencyGraph
import Foundation
import TestSupport
import Testing

@Suite("check, on real packages")
struct CheckTests {
    @Test("A valid package has no findings, and the exit status is 0")
    func findsNothing() async throws {
        let package = try FixturePackage(
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
        )
        let result = await package.run("check")
        #expect(result.text == "")
        #expect(result.status == 0)
    }

    @Test("A cycle is found with its line, although SwiftPM cannot resolve such a package")
    func findsCycle() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "A", dependencies: ["B"]),
                .target(name: "B", dependencies: ["C"]),
                .target(name: "C", dependencies: ["A"]),
                """,
            files: [
                "Sources/A/A.swift": "import B", "Sources/B/B.swift": "import C", "Sources/C/C.swift": "import A",
            ]
        )
        let result = await package.run("check")
        #expect(result.text == "Package.swift:8: cycle: A -> B -> C -> A: break the cycle at one of these edges\n")
        #expect(result.status == 1)
    }

    @Test("An undeclared import is found with its file and line; one in a canImport condition of its module is not")
    func findsUndeclared() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Core"),
                .target(name: "Extra"),
                .target(name: "Feature"),
                """,
            files: [
                "Sources/Core/Core.swift": "",
                "Sources/Extra/Extra.swift": "",
                "Sources/Feature/Deep/Feature.swift": """
                /* import Extra */
                let text = "import Extra"

                @_spi(Testing) public import Core.Sub
                #if canImport(Extra)
                import Extra
                #endif
                """,
            ]
        )
        let result = await package.run("check")
        #expect(
            result.text == """
                Sources/Feature/Deep/Feature.swift:4: undeclared: Feature imports Core without declaring it: add \
                "Core" to its dependencies in Package.swift, or remove the import

                """
        )
        #expect(result.status == 1)
    }

    @Test("A canImport condition of one module does not excuse the import of another")
    func findsUndeclaredInCondition() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Core"),
                .target(name: "Extra"),
                .target(name: "Feature"),
                """,
            files: [
                "Sources/Core/Core.swift": "",
                "Sources/Extra/Extra.swift": "",
                "Sources/Feature/Feature.swift": """
                #if canImport(Core)
                import Extra
                #endif
                #if canImport(Extra) && canImport(Core)
                import Core
                #endif
                """,
            ]
        )
        let result = await package.run("check")
        #expect(
            result.text == """
                Sources/Feature/Feature.swift:2: undeclared: Feature imports Extra without declaring it: add "Extra" to its \
                dependencies in Package.swift, or remove the import

                """
        )
    }

    @Test("A dependency that the rules do not allow is found at its import, with the reason")
    func findsForbidden() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Model"),
                .target(name: "Screen"),
                .target(name: "Store", dependencies: ["Screen", "Model"]),
                """,
            files: [
                "Sources/Model/Model.swift": "",
                "Sources/Screen/Screen.swift": "",
                "Sources/Store/Store.swift": "import Model\nimport Screen",
                ".dependency-rules.json": """
                {"rules": [{"targets": ["Store"], "allow": ["Model"], "because": "a store draws nothing"}]}
                """,
            ]
        )
        let result = await package.run("check")
        #expect(
            result.text == """
                Sources/Store/Store.swift:2: forbidden: Store must not depend on Screen; allowed: Model \
                (a store draws nothing)

                """
        )
        #expect(result.status == 1)
    }

    @Test("An indirect dependency that a rule forbids is found with its path; folders can be patterns")
    func findsForbiddenReach() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "App", path: "Apps/App"),
                .target(name: "Middle", dependencies: ["App"], path: "Modules/Middle"),
                .target(name: "Base", dependencies: ["Middle"], path: "Modules/Base"),
                """,
            files: [
                "Apps/App/App.swift": "",
                "Modules/Middle/Middle.swift": "@_exported import App",
                "Modules/Base/Base.swift": "import Middle",
                "rules.json": """
                {"rules": [{"targets": ["Modules/B*"], "forbid": ["Apps/*"]}]}
                """,
            ]
        )
        let result = await package.run("check", "--rules", package.folder.file("rules.json").path)
        #expect(
            result.text == """
                Modules/Base/Base.swift:1: forbidden: Base must not reach App: Base -> Middle -> App

                """
        )
    }

    @Test("An unused dependency is found; C targets, re-exports, tools and generated sources are not reported")
    func findsUnused() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "CThing"),
                .systemLibrary(name: "CSystem"),
                .target(name: "Base", dependencies: ["CThing"]),
                .target(name: "Umbrella", dependencies: ["Base"]),
                .target(name: "Left"),
                .executableTarget(name: "tool"),
                .target(name: "User", dependencies: ["Umbrella", "Base", "CThing", "CSystem", "tool", "Left"]),
                """,
            files: [
                "Sources/CThing/CThing.c": "", "Sources/CThing/include/module.modulemap": "module Thing { }",
                "Sources/CSystem/module.modulemap": "module SystemThing [system] { link \"x\" }",
                "Sources/Base/Base.swift": "@_exported import Thing",
                "Sources/Umbrella/Umbrella.swift": "@_exported public import Base",
                "Sources/Left/Left.swift": "public struct Left {}",
                "Sources/tool/main.swift": "",
                "Sources/User/User.swift": "import Umbrella\nimport SystemThing\nlet user = 1",
            ]
        )
        let result = await package.run("check")
        #expect(
            result.text
                == "Package.swift:14: unused: User declares Left but does not import it: remove the dependency\n"
        )
        #expect(result.status == 1)
    }

    @Test("Sources directly in Sources and Tests of a package with one target of the kind are seen")
    func findsSourcesOfASingleTarget() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Only"),
                .testTarget(name: "OnlyTests"),
                """,
            files: ["Sources/Only.swift": "import OnlyTests", "Tests/Deep/T.swift": "import Only"]
        )
        let text = await package.run("check").text
        #expect(text.contains("Sources/Only.swift:1: undeclared: Only imports OnlyTests"))
        #expect(text.contains("Tests/Deep/T.swift:1: undeclared: OnlyTests imports Only"))
    }

    @Test("A symbolic link to a folder above does not lead around", .timeLimit(.minutes(1)))
    func survivesLinks() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\"), .target(name: \"B\"),",
            files: ["Sources/A/A.swift": "import B", "Sources/B/B.swift": ""]
        )
        for name in ["one", "two", "three"] {
            try FileManager.default.createSymbolicLink(
                atPath: package.folder.file("Sources/A/\(name)").path,
                withDestinationPath: "../A"
            )
        }
        let lines = await package.run("check").text.split(separator: "\n")
        #expect(lines.count == 4, "\(lines)")
        #expect(
            lines.first
                == "Sources/A/one:1: fault: Sources/A/one: the symbolic link leads to a folder above it; remove the link, or exclude it"
        )
        #expect(lines.last?.hasPrefix("Sources/A/A.swift:1: undeclared") == true, "\(lines)")
    }

    @Test("Findings can be written as JSON")
    func writesJSON() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"Alone\", dependencies: [\"Alone\"])",
            files: ["Sources/Alone/Alone.swift": ""]
        )
        let result = await package.run("check", "--format", "json")
        #expect(result.text.contains("\"kind\" : \"cycle\""))
        #expect(result.text.contains("\"line\" : 8"))
        #expect(result.status == 1)
    }

    @Test("A rules file with an unknown key is refused: a mistyped rule would have no effect")
    func refusesUnknownKeys() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\")",
            files: [
                "Sources/A/A.swift": "",
                ".dependency-rules.json": #"{"rules": [{"targets": ["A"], "alow": []}]}"#,
            ]
        )
        let result = await package.run("check")
        #expect(result.errors.contains("unknown key \"alow\"; the keys are: allow, because, forbid, targets"))
        #expect(result.status == 2)
    }
}
