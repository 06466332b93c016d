import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("Macro targets")
struct MacroTests {
    /// A package with a macro, whose manifest is read without the package swift-syntax.
    private func package() throws -> FixturePackage {
        let package = try FixturePackage(
            targets: """
                .macro(
                    name: "StringifyMacros",
                    dependencies: [
                        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                    ]
                ),
                .target(name: "Stringify", dependencies: ["StringifyMacros"]),
                .executableTarget(name: "client", dependencies: ["Stringify"]),
                .target(name: "Alone"),
                .testTarget(name: "StringifyTests", dependencies: ["StringifyMacros"]),
                """,
            dependencies: ".package(url: \"https://far.invalid/swift-syntax.git\", from: \"600.0.0\")",
            files: [
                "Sources/StringifyMacros/Macro.swift": """
                import SwiftCompilerPlugin
                import SwiftSyntaxMacros
                public struct StringifyMacro: ExpressionMacro {}
                """,
                // A macro is named in a declaration: its module is not imported.
                "Sources/Stringify/Stringify.swift": """
                @freestanding(expression)
                public macro stringify<T>(_ value: T) -> (T, String) =
                    #externalMacro(module: "StringifyMacros", type: "StringifyMacro")
                """,
                "Sources/client/main.swift": "import Stringify\nprint(#stringify(1 + 1))\n",
                "Sources/Alone/Alone.swift": "",
                "Tests/StringifyTests/Tests.swift": "@testable import StringifyMacros\n",
            ]
        )
        try package.changeManifest(
            "import PackageDescription",
            to: "import CompilerPluginSupport\nimport PackageDescription"
        )
        return package
    }

    @Test("A change of a macro's sources affects the targets that declare and use the macro, and its tests")
    func affectsUsers() async throws {
        let text = await (try package()).run("affected", "--files", "Sources/StringifyMacros/Macro.swift").text
        #expect(
            text == """
                StringifyMacros: Sources/StringifyMacros/Macro.swift changed
                Stringify: depends on StringifyMacros: Sources/StringifyMacros/Macro.swift changed
                client: depends on Stringify -> StringifyMacros: Sources/StringifyMacros/Macro.swift changed
                StringifyTests: depends on StringifyMacros: Sources/StringifyMacros/Macro.swift changed

                """
        )
    }

    @Test(
        "The kind of a macro is in every text format",
        arguments: [
            ("tree", "StringifyMacros (macro)"), ("dot", "macro"), ("mermaid", "StringifyMacros (macro)"),
            ("json", "\"kind\" : \"macro\""), ("html", "\"kind\":\"macro\""),
        ]
    )
    func showsKind(format: String, text: String) async throws {
        let result = await (try package()).run("--format", format)
        #expect(result.text.contains(text), "\(result.text.prefix(2_000))")
    }

    @Test("A macro is used without an import of its module: check reports nothing")
    func checks() async throws {
        let result = try await package().check()
        #expect(result.text == "" && result.status == 0, "\(result)")
    }
}
