import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("check: undeclared imports")
struct UndeclaredImportTests {
    @Test("A target and a module have one finding, with all files")
    func groupsFiles() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"Core\"), .target(name: \"User\"),",
            files: [
                "Sources/Core/Core.swift": "public struct Core {}",
                "Sources/User/A.swift": "import Core\nimport Core", "Sources/User/B.swift": "\nimport Core",
            ]
        )
        #expect(
            await package.run("check", "--no-cache").text == """
                Sources/User/A.swift:1: undeclared: User imports Core without declaring it: add "Core" to its dependencies in \
                Package.swift, or remove the import; also at Sources/User/B.swift:2

                """
        )
    }

    @Test("Imports in branches that nothing can compile, in files outside sources: and in resources do not count")
    func ignoresWhatIsNotCompiled() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Core"),
                .target(
                    name: "User",
                    exclude: ["Old.swift"],
                    sources: ["Code", "Single.swift"],
                    resources: [.copy("Code/Templates")],
                    swiftSettings: [.define("FAST", .when(configuration: .release)), .unsafeFlags(["-D", "SLOW"])]
                ),
                """,
            files: [
                "Sources/Core/Core.swift": "public struct Core {}",
                "Sources/User/Code/A.swift":
                    "#if NEVER\nimport Core\n#endif\n#if os(Linux) && os(Windows)\nimport Core\n#endif",
                "Sources/User/Code/Templates/T.swift": "import Core", "Sources/User/Other.swift": "import Core",
                "Sources/User/Single.swift": "let a = 1", "Sources/User/Old.swift": "import Core",
            ]
        )
        #expect(await package.run("check", "--no-cache").text == "")
        // A condition of the manifest may be defined.
        try package.folder.write("#if FAST && SLOW\nimport Core\n#endif", to: "Sources/User/Single.swift")
        #expect(await package.run("check", "--no-cache").text.hasPrefix("Sources/User/Single.swift:2: undeclared"))
        try package.folder.write("#if GIVEN\nimport Core\n#endif", to: "Sources/User/Single.swift")
        #expect(await package.run("check", "--no-cache").text == "")
        try package.folder.write(#"{"defines": ["GIVEN"]}"#, to: ".dependency-rules.json")
        #expect(await package.run("check", "--no-cache").text.hasPrefix("Sources/User/Single.swift:2: undeclared"))
    }

    @Test("A module alias is the name of another package's module, and appears on the edge with its conditions")
    func heedsAliases() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Utilities"),
                .target(name: "User", dependencies: [
                    .product(
                        name: "Far", package: "far", moduleAliases: ["Utilities": "FarUtilities"],
                        condition: .when(platforms: [.linux, .macOS], traits: ["Fast"])
                    )
                ]),
                .target(name: "FarUtilities"),
                """,
            dependencies: ".package(url: \"https://far.invalid/far.git\", from: \"1.0.0\")",
            files: [
                "Sources/Utilities/U.swift": "", "Sources/FarUtilities/F.swift": "",
                "Sources/User/User.swift": "import FarUtilities\nlet a = 1",
            ]
        )
        let manifest = try String(contentsOf: package.folder.file("Package.swift"), encoding: .utf8)
        try package.folder.write(
            manifest.replacing("swift-tools-version: 6.0", with: "swift-tools-version: 6.2")
                .replacing("name: \"Fixture\",", with: "name: \"Fixture\", traits: [\"Fast\"],"),
            to: "Package.swift"
        )
        #expect(await package.run("check", "--no-cache").text == "")
        let graph = try PackageReader(path: package.folder.path).read()
        #expect(graph.traits == ["Fast"])
        #expect(
            graph["User"]?.dependencies.first?.condition == "linux, macos; trait Fast; Utilities as FarUtilities"
        )
    }

    @Test(
        "Products of the same name in two packages are two nodes, and one with the name of a target is not the target"
    )
    func separatesProducts() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Log", dependencies: [.product(name: "Log", package: "one"), .product(name: "Log", package: "two")]),
                .target(name: "User", dependencies: ["Log"]),
                """,
            dependencies: """
                .package(url: "https://far.invalid/one.git", from: "1.0.0"), .package(name: "two", path: "../elsewhere")
                """,
            files: ["Sources/Log/L.swift": "", "Sources/User/U.swift": "import Log"]
        )
        let graph = try PackageReader(path: package.folder.path).read()
        #expect(graph.targets.map(\.name) == ["Log", "User", "Log (elsewhere)", "Log (one)"])
        #expect(graph.dependencies(of: "Log") == ["Log (one)", "Log (elsewhere)"])
        #expect(graph.dependencies(of: "User") == ["Log"])
        #expect(graph["Log (elsewhere)"]?.package == "elsewhere")
        #expect(graph["Log (one)"]?.product == "Log")
        #expect(graph.localPackages.keys.sorted() == ["elsewhere"])
    }

    static let folders = [
        "Scripts/DependencyGraph", "Modules/Checksums", "Modules/CommandKit", "Modules/JSONValues",
        "Modules/SystemCalls",
        "Modules/Threading",
    ]

    @Test("The lexical scan finds the imports that the compiler finds, in the sources of the tool", arguments: folders)
    func agreesWithTheCompiler(folder: String) async throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path + "/" + folder
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        #expect(!files.isEmpty)
        // The compiler reports the imports of all files together.
        let request = CompilerImports.Request(module: "Module", files: files, defines: [])
        let expected = try #require(CompilerImports(root: root, cache: nil).modules(of: [request])[0])
        let found = try files.flatMap { file in
            ImportScanner.imports(in: try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8))
        }
        let all = Set(found.map(\.module))
        let unconditional = Set(found.filter { $0.condition == nil }.map(\.module))
        #expect(unconditional.isSubset(of: expected), "\(unconditional.subtracting(expected))")
        #expect(expected.isSubset(of: all), "\(expected.subtracting(all))")
    }

    @Test("The compiler reads regular expressions in slashes, as in language mode 6")
    func readsBareRegex() throws {
        let folder = try TemporaryDirectory("regex")
        try folder.write("import Alpha\nlet quote = /a (?!b )\"?c?/\nimport Beta\n", to: "a.swift")
        let request = CompilerImports.Request(module: "A", files: ["a.swift"], defines: [])
        #expect(CompilerImports(root: folder.path, cache: nil).modules(of: [request]) == [["Alpha", "Beta"]])
    }

    @Test("The compiler's results are stored by content, and a changed file is read again")
    func storesResults() async throws {
        let folder = try TemporaryDirectory("cache")
        try folder.write("import Alpha\n#if os(Windows)\nimport Beta\n#endif", to: "a.swift")
        let compiler = CompilerImports(root: folder.path, cache: folder.path + "/store")
        let request = CompilerImports.Request(module: "A", files: ["a.swift"], defines: [])
        #expect(compiler.modules(of: [request]) == [["Alpha"]])
        let stored = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store")
        #expect(stored.count == 1)
        // The second result is the stored one.
        try folder.write("Stored\n", to: "store/\(stored[0])")
        #expect(compiler.modules(of: [request]) == [["Stored"]])
        try folder.write("import Gamma", to: "a.swift")
        #expect(compiler.modules(of: [request]) == [["Gamma"]])
        #expect(CompilerImports(root: folder.path, cache: nil).modules(of: [request]) == [["Gamma"]])
    }
}
