import DependencyGraph
import Foundation
import TestSupport
import Testing

@Suite("check, on real packages")
struct CheckTests {
    @Test("A package in order: nothing is found, and the status is 0")
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

    @Test("A cycle is found, though SwiftPM could not resolve such a package, and named with its line")
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

    @Test("An undeclared import is found with its file and line; a guarded one is not")
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
                Sources/Feature/Deep/Feature.swift:4: undeclared: Feature imports Core and does not declare it: add \
                "Core" to its dependencies in Package.swift, or drop the import

                """
        )
        #expect(result.status == 1)
    }

    @Test("An edge that the rules do not allow is found, at the import that uses it, with the reason")
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
                Sources/Store/Store.swift:2: forbidden: Store may not depend on Screen; it may on: Model \
                (a store draws nothing)

                """
        )
        #expect(result.status == 1)
    }

    @Test("What a rule forbids is found through others, too, with the way; folders work as patterns")
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
                Modules/Base/Base.swift:1: forbidden: Base may not reach App, and does: Base -> Middle -> App

                """
        )
    }

    @Test("An unused dependency is found; C targets, re-exports, tools and generated sources are not taken for one")
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
                "Sources/Left/Left.swift": "",
                "Sources/tool/main.swift": "",
                "Sources/User/User.swift": "import Umbrella\nimport SystemThing",
            ]
        )
        let result = await package.run("check")
        #expect(
            result.text
                == "Package.swift:14: unused: User declares Left and imports it nowhere: drop the dependency\n"
        )
        #expect(result.status == 1)
    }

    @Test("Findings as JSON have their parts apart")
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

    @Test("A rules file with an unknown key is refused: a misspelt rule would hold of nothing")
    func refusesUnknownKeys() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\")",
            files: [
                "Sources/A/A.swift": "",
                ".dependency-rules.json": #"{"rules": [{"targets": ["A"], "alow": []}]}"#,
            ]
        )
        let result = await package.run("check")
        #expect(result.errors.contains("it knows no key \"alow\" here; the keys are: allow, because, forbid, targets"))
        #expect(result.status == 1)
    }
}
