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
            await package.check().text == """
                Sources/User/A.swift:1: undeclared: User imports Core without declaring it: add "Core" to its dependencies in \
                Package.swift, or remove the import; also at Sources/User/B.swift:2

                """
        )
    }

    @Test("Imports in branches that nothing can compile, in files outside sources:, resources and .docc do not count")
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
                "Sources/User/Code/User.docc/Code/D.swift": "import Core",
                "Sources/User/Single.swift": "let a = 1", "Sources/User/Old.swift": "import Core",
            ]
        )
        #expect(await package.check().text == "")
        // A condition of the manifest may be defined; one without a condition is.
        try package.folder.write("#if FAST && SLOW\nimport Core\n#endif", to: "Sources/User/Single.swift")
        #expect(await package.check().text.hasPrefix("Sources/User/Single.swift:2: undeclared"))
        try package.folder.write(
            "#if !SLOW || !SWIFT_PACKAGE\nimport Core\n#elseif FAST || DEBUG\n#else\nimport Core\n#endif",
            to: "Sources/User/Single.swift"
        )
        #expect(await package.check().text.hasPrefix("Sources/User/Single.swift:5: undeclared"))
        try package.folder.write("#if GIVEN\nimport Core\n#endif", to: "Sources/User/Single.swift")
        #expect(await package.check().text == "")
        try package.folder.write(#"{"defines": ["GIVEN"]}"#, to: ".dependency-rules.json")
        #expect(await package.check().text.hasPrefix("Sources/User/Single.swift:2: undeclared"))
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
            dependencies: FixturePackage.far,
            files: [
                "Sources/Utilities/U.swift": "", "Sources/FarUtilities/F.swift": "",
                "Sources/User/User.swift": "import FarUtilities\nlet a = 1",
            ]
        )
        let manifest = try package.manifest()
        try package.folder.write(
            manifest.replacing("swift-tools-version: 6.0", with: "swift-tools-version: 6.2")
                .replacing("name: \"Fixture\",", with: "name: \"Fixture\", traits: [\"Fast\"],"),
            to: "Package.swift"
        )
        #expect(await package.check().text == "")
        let graph = try package.graph()
        #expect(graph.traits == ["Fast"])
        #expect(graph["User"]?.dependencies.first?.condition == "linux, macos; trait Fast; Utilities as FarUtilities")
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
        let graph = try package.graph()
        #expect(graph.targets.map(\.name) == ["Log", "User", "Log (elsewhere)", "Log (one)"])
        #expect(graph.dependencies(of: "Log") == ["Log (one)", "Log (elsewhere)"])
        #expect(graph.dependencies(of: "User") == ["Log"])
        #expect(graph["Log (elsewhere)"]?.package == "elsewhere")
        #expect(graph["Log (one)"]?.product == "Log")
        #expect(graph.localPackages.keys.sorted() == ["elsewhere"])
    }

    static let folders = [
        "Scripts/DependencyGraph/DependencyGraph", "Modules/Foundations/Checksums", "Modules/Terminal/CommandKit",
        "Modules/Foundations/JSONValues",
        "Modules/Foundations/SystemCalls",
        "Modules/Foundations/Threading",
    ]

    @Test("The lexical scan finds the imports that the compiler finds, in the sources of the tool", arguments: folders)
    func agreesWithTheCompiler(folder: String) async throws {
        let root = Project.root.path + "/" + folder
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        #expect(!files.isEmpty)
        let seen = CompilerImports(root: root, cache: nil).modules(in: files.map { .init(path: $0, defines: []) })
        #expect(seen.count == files.count)
        for (file, expected) in seen {
            let text = try String(contentsOfFile: "\(root)/\(file.path)", encoding: .utf8)
            let found = ImportScanner.imports(in: text)
            let unconditional = Set(found.filter { $0.condition == nil }.map(\.module))
            #expect(unconditional.isSubset(of: expected), "\(file.path): \(unconditional.subtracting(expected))")
            #expect(expected.isSubset(of: found.map(\.module)), "\(file.path): \(expected)")
        }
    }

    /// Returns the modules that the compiler sees in files, by their names.
    private func modules(_ files: [String: String], cache: TemporaryDirectory? = nil) throws -> [String: Set<String>] {
        let folder = try cache ?? TemporaryDirectory("imports")
        for (name, text) in files { try folder.write(text, to: name) }
        let compiler = CompilerImports(root: folder.path, cache: cache.map { $0.path + "/store" })
        let found = compiler.modules(in: files.keys.map { .init(path: $0, defines: []) })
        return Dictionary(uniqueKeysWithValues: found.map { ($0.key.path, $0.value) })
    }

    @Test("Files that are parsed together keep their own imports; one that the compiler cannot parse has none")
    func readsTogether() throws {
        let found = try modules([
            // A regular expression in slashes, as in language mode 6.
            "regex.swift": "import Alpha\nlet quote = /a (?!b )\"?c?/\nimport Beta\n",
            "main.swift": "import struct `Gamma`.Sub\nprint(1)\n",
            "other.swift": "import Alpha.Deep\nimport A__B\n#if os(Windows)\nimport Delta\n#endif\n",
            "broken.swift": "import Alpha\nfunc {",
        ])
        let whole: [String: Set<String>] = ["regex.swift": ["Alpha", "Beta"], "main.swift": ["Gamma"]]
        #expect(found == whole.merging(["other.swift": ["Alpha", "A__B"]]) { $1 })
    }

    @Test(
        "Deeply nested interpolations, for which the compiler needs minutes, are left to the lexical scan",
        .timeLimit(.minutes(5))
    )
    func limitsInterpolations() throws {
        func nested(_ depth: Int) -> String {
            let opening = String(repeating: "\"\\(", count: depth), closing = String(repeating: ")\"", count: depth)
            return "import Alpha\nlet a = \(opening)1\(closing)\n"
        }
        let found = try modules(["a.swift": nested(20_000), "b.swift": nested(2), "c.swift": nested(199)])
        #expect(found["a.swift"] == nil && found["b.swift"] == ["Alpha"])
    }

    @Test("The compiler's results are stored by content, and a changed file is read again")
    func storesResults() throws {
        let folder = try TemporaryDirectory("cache")
        let text = "import Alpha\n#if os(Windows)\nimport Beta\n#endif"
        #expect(try modules(["a.swift": text], cache: folder) == ["a.swift": ["Alpha"]])
        let stored = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store")
        #expect(stored.count == 1)
        // The second result is the stored one.
        let lines = try String(contentsOf: folder.file("store/\(stored[0])"), encoding: .utf8)
        try folder.write(lines.replacing("Alpha", with: "Stored"), to: "store/\(stored[0])")
        #expect(try modules(["a.swift": text], cache: folder) == ["a.swift": ["Stored"]])
        #expect(try modules(["a.swift": "import Gamma"], cache: folder) == ["a.swift": ["Gamma"]])
        #expect(try modules(["a.swift": text], cache: folder) == ["a.swift": ["Stored"]])
        // The same content has other imports under other conditions.
        try folder.write("#if BETA\nimport Beta\n#endif", to: "b.swift")
        let compiler = CompilerImports(root: folder.path, cache: folder.path + "/store")
        for (defines, expected) in [([], []), (["BETA"], ["Beta"])] as [([String], Set<String>)] {
            let file = CompilerImports.File(path: "b.swift", defines: defines)
            #expect(compiler.modules(in: [file]) == [file: expected])
        }
    }

    @Test("An import by the flag -module-alias means another target; --fix declares that one")
    func heedsModuleAliasFlags() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Utils"), .target(name: "UtilsForPlugin"),
                .target(
                    name: "Plugin", dependencies: ["UtilsForPlugin"],
                    swiftSettings: [.unsafeFlags(["-module-alias", "Utils=UtilsForPlugin"])]
                ),
                .target(name: "Other", swiftSettings: [.unsafeFlags(["-module-alias", "Utils=UtilsForPlugin"])]),
                """,
            files: [
                "Sources/Utils/U.swift": "public struct U {}", "Sources/UtilsForPlugin/U.swift": "public struct U {}",
                "Sources/Plugin/P.swift": "import Utils\nlet a = 1", "Sources/Other/O.swift": "import Utils\nlet a = 1",
            ]
        )
        let text = await package.check().text
        #expect(text.hasPrefix("Sources/Other/O.swift:1: undeclared: Other imports UtilsForPlugin without"), "\(text)")
        #expect(text.split(separator: "\n").count == 1)
        #expect(await package.check("--fix").status == 0)
        #expect(try package.graph().dependencies(of: "Other") == ["UtilsForPlugin"])
    }

    /// A package that uses a local package, and one whose checkout is in the build folder, which uses a third. The names of
    /// modules are not the text of the manifests: one has a dash, one is in the manifest of the toolchain, one is computed.
    static func withOthers() throws -> FixturePackage {
        let far = FixturePackage.far
        let deep = ".package(url: \"https://far.invalid/deep.git\", from: \"1.0.0\")"
        return try FixturePackage(
            targets: """
                .target(name: "Good", dependencies: [
                    .product(name: "NearKit", package: "near"), .product(name: "FarKit", package: "far"),
                ]),
                .target(name: "User", dependencies: ["Good"]),
                """,
            dependencies: ".package(path: \"Packages/near\"), \(far)",
            files: [
                "Sources/Good/G.swift": "import FarCore\nimport FarInner\nimport Near_1\nimport Foundation\n",
                "Sources/User/U.swift":
                    "import Good\nimport Near_1\n#if canImport(FarCore)\nimport FarCore\n#endif\nimport Testing\n",
                "Packages/near/Package.swift": FixturePackage.manifest(
                    "near",
                    targets: ".target(name: \"Near-1\"), .target(name: \"Good\"), .testTarget(name: \"NearTests\"),",
                    products: ".library(name: \"NearKit\", targets: [\"Near-1\", \"Good\"])"
                ),
                ".build/checkouts/far/Package.swift": FixturePackage.manifest("far", targets: ""),
                ".build/checkouts/far/Package@swift-6.swift": FixturePackage.manifest(
                    "far",
                    targets: """
                        .target(name: "FarCore", dependencies: ["FarInner"]), .target(name: "FarUnused"),
                        .target(name: "FarInner", dependencies: [.product(name: "DeepKit", package: "deep")]),
                        """,
                    dependencies: deep,
                    products: ".library(name: \"FarKit\", targets: [\"FarCore\"])"
                ),
                ".build/checkouts/swift-testing/Package.swift": FixturePackage.manifest(
                    "swift-testing",
                    targets: ".target(name: \"Testing\")",
                    products: ".library(name: \"Testing\", targets: [\"Testing\"])"
                ),
                ".build/checkouts/Deep/Package.swift": FixturePackage.manifest(
                    "deep",
                    targets: ".target(name: \"De\" + \"ep\")",
                    products: ".library(name: \"DeepKit\", targets: [\"De\" + \"ep\"])"
                ),
            ]
        )
    }

    @Test(
        "An undeclared import of another package's module is found where that package can be read; --fix declares its product"
    )
    func findsUndeclaredProducts() async throws {
        let package = try Self.withOthers()
        #expect(
            await package.check().text == """
                Sources/User/U.swift:2: undeclared: User imports Near_1 without declaring it: add .product(name: "NearKit", \
                package: "near") to its dependencies in Package.swift, or remove the import

                """
        )
        try package.folder.write("import Good\nimport Deep\n", to: "Sources/User/U.swift")
        let text = await package.check().text
        #expect(
            text.contains("User imports Deep without declaring it: add the product DeepKit, with its package,"),
            "\(text)"
        )
        #expect(
            await package.check("--fix").text
                == "Package.swift:11: Package.swift does not name the package of DeepKit: add both to it by hand\n"
        )
        // A package that the manifest names need not have a user yet; a module of the toolchain may be meant to come from it.
        let manifest = try package.manifest()
        let more = ["deep", "swift-testing"].map { ".package(url: \"https://far.invalid/\($0).git\", from: \"1.0.0\")" }
        try package.changeManifest(FixturePackage.far, to: ([FixturePackage.far] + more).joined(separator: ", "))
        try package.folder.write("import Good\nimport Deep\nimport Testing\n", to: "Sources/User/U.swift")
        let named = await package.check().text
        for (product, identity) in [("DeepKit", "deep"), ("Testing", "swift-testing")] {
            #expect(named.contains("add .product(name: \"\(product)\", package: \"\(identity)\") to its"), "\(named)")
        }
        try package.folder.write(manifest, to: "Package.swift")
        try package.folder.write("import Good\nimport FarCore\nimport Near_1\n", to: "Sources/User/U.swift")
        let fixed = await package.check("--fix")
        #expect(fixed.status == 0, "\(fixed)")
        #expect(try package.graph().dependencies(of: "User") == ["Good", "FarKit", "NearKit"])
        #expect(await package.check().text == "")
    }

    @Test("--packages draws the targets of other packages instead of their products")
    func drawsOtherPackages() async throws {
        let text = await (try Self.withOthers()).run("--packages").text
        #expect(
            text == """
                User
                └─ Good
                   ├─ Near-1
                   ├─ Good (near)
                   └─ FarCore
                      └─ FarInner
                         └─ Deep

                """
        )
    }
}
