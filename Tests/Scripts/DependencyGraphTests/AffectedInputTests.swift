import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("affected: all that a target is built from")
struct AffectedInputTests {
    /// Returns a package that is committed to a repository in its folder, or in a folder above.
    private func committed(
        targets: String,
        dependencies: String = "",
        files: [String: String]
    ) async throws -> FixturePackage {
        let package = try FixturePackage(targets: targets, dependencies: dependencies, files: files)
        try await package.commit()
        return package
    }

    @Test("Resources, C headers, header search paths, plugins, macros and symbolic links count")
    func followsInputs() async throws {
        let package = try await committed(
            targets: """
                .target(name: "CLow", path: "C/Low"),
                .target(
                    name: "CHigh", path: "C/High", cSettings: [.headerSearchPath("../../Shared/include")]
                ),
                .target(name: "CWide", path: "Wide",
                    cSettings: [.unsafeFlags(["-IFlags/one", "-I", "Flags/two", "-include", "Flags/three.h"])]),
                .target(name: "Linked", path: "Linked"), .target(name: "Behind", path: "Via/Deep"),
                .target(name: "Resourceful", path: "Resourceful", exclude: ["Notes"],
                    resources: [.process("Data"), .copy("Copied")]),
                .plugin(name: "Generator", capability: .buildTool(), dependencies: ["tool"]),
                .executableTarget(name: "tool"),
                .target(name: "Generated", path: "Generated", plugins: ["Generator"]),
                .target(name: "Using", dependencies: ["CLow"], path: "Using"),
                """,
            files: [
                "C/Low/low.c": "", "C/Low/include/low.h": "", "C/High/high.c": "", "Shared/include/deep/shared.h": "",
                "Wide/deep/wide.c": "#include \"../../Headers/common.h\"\n#include \"../own.h\"\n#include <../x.h>\n",
                "Headers/common.h": "/* */\r\n\t# import \"deep/more.h\" // why\r\n",
                "Common/Common.swift": "", "Elsewhere/deep/E.swift": "", "Linked/Own.swift": "",
                "Real/Deep/B.swift": "",
                "Resourceful/R.swift": "",
                "Resourceful/Data/d.json": "", "Resourceful/Notes/own.md": "", "Golden/deep/g.txt": "",
                "Golden/h.txt": "",
                "Golden/n.txt": "", "Plugins/Generator/G.swift": "", "Sources/tool/main.swift": "",
                "Generated/G.swift": "", "Using/U.swift": "",
            ]
        )
        for (name, destination) in [
            ("Linked/Common.swift", "../Common/Common.swift"), ("Linked/Folder", "../Elsewhere"), ("Via", "Real"),
            ("Resourceful/Data/h", "../../Golden/h.txt"), ("Resourceful/Copied", "../Golden/deep"),
            ("Resourceful/Notes/n", "../../Golden/n.txt"), ("Resourceful/.removed", "../Golden/removed.txt"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: package.folder.file(name).path,
                withDestinationPath: destination
            )
        }
        func affected(_ file: String) async -> String { await package.run("affected", "--files", file).text }
        #expect(
            await affected("C/Low/include/low.h").hasPrefix("CLow: C/Low/include/low.h changed\nUsing: depends on CLow")
        )
        #expect(
            await affected("Shared/include/deep/shared.h")
                == "CHigh: Shared/include/deep/shared.h changed, which is in a header search path\n"
        )
        #expect(
            await affected("Common/Common.swift")
                == "Linked: Common/Common.swift changed, which the symbolic link Linked/Common.swift leads to\n"
        )
        #expect(
            await affected("Elsewhere/deep/E.swift").hasPrefix(
                "Linked: Elsewhere/deep/E.swift changed, which the symbolic"
            )
        )
        for (file, reason) in [
            ("Headers/common.h", "which Wide/deep/wide.c includes"),
            ("Headers/deep/more.h", "which Headers/common.h includes"),
            ("Flags/one/a.h", "which is in a header search path"),
            ("Flags/two/b.h", "which is in a header search path"),
            ("Flags/three.h", "which is in a header search path"),
        ] {
            #expect(await affected(file) == "CWide: \(file) changed, \(reason)\n")
        }
        #expect(await affected("Headers/other.h,x.h") == "")
        #expect(await affected("Shared/include.md,Elsewhere2/E.swift") == "", "their names only begin like an input's")
        // The link itself, and the folder that it leads to.
        #expect(await affected("Via") == "Behind: Via changed\n")
        #expect(await affected("Real/Deep/B.swift").hasPrefix("Behind: Real/Deep/B.swift changed, which the symbolic"))
        // Git names a submodule, which may contain the folders of targets and header search paths, by its folder.
        #expect(await affected("C") == "CLow: C changed\nCHigh: C changed\nUsing: depends on CLow: C changed\n")
        #expect(await affected("Shared") == "CHigh: Shared changed, which is in a header search path\n")
        #expect(await affected("Resourceful/Data/d.json") == "Resourceful: Resourceful/Data/d.json changed\n")
        for (file, link) in [
            ("h.txt", "Data/h"), ("deep/g.txt", "Copied"), ("n.txt", "Notes/n"), ("removed.txt", ".removed"),
        ] {
            let reason = "Golden/\(file) changed, which the symbolic link Resourceful/\(link) leads to"
            #expect(await affected("Golden/\(file)") == "Resourceful: \(reason)\n")
        }
        #expect(
            await affected("Sources/tool/main.swift") == """
                Generator: depends on tool: Sources/tool/main.swift changed
                tool: Sources/tool/main.swift changed
                Generated: depends on Generator -> tool: Sources/tool/main.swift changed

                """
        )
    }

    private static let nearProducts =
        ".library(name: \"One\", targets: [\"A\"]), .library(name: \"Two\", targets: [\"B\"])"
    private static let usersOfNear = """
        .target(name: "UsesOne", dependencies: [.product(name: "One", package: "near")]),
        .target(name: "UsesTwo", dependencies: [.product(name: "Two", package: "near")]),
        """

    @Test("A local package counts through its products, and so does one that it names, also by an undeclared import")
    func followsLocalPackages() async throws {
        let package = try await committed(
            targets: Self.usersOfNear + ".target(name: \"ImportsA\"), .target(name: \"ImportsD\"),",
            dependencies: ".package(path: \"Packages/near\")",
            files: [
                "Sources/UsesOne/A.swift": "", "Sources/UsesTwo/A.swift": "", "Sources/ImportsA/A.swift": "import A",
                "Sources/ImportsD/D.swift": "import D_1",
                "Packages/near/Package.swift": FixturePackage.manifest(
                    "near",
                    targets: """
                        .target(name: "A"), .target(name: "B", dependencies: [.product(name: "Deep", package: "deep")]),
                        """,
                    dependencies: ".package(path: \"../deep\")",
                    products: Self.nearProducts
                ),
                "Packages/near/Sources/A/A.swift": "", "Packages/near/Sources/B/B.swift": "",
                "Packages/deep/Package.swift": FixturePackage.manifest(
                    "deep",
                    targets: ".target(name: \"D-1\")",
                    products: ".library(name: \"Deep\", targets: [\"D-1\"])"
                ),
                "Packages/deep/Sources/D-1/D.swift": "",
            ]
        )
        try package.folder.write("// new", to: "Packages/near/Sources/A/A.swift")
        let text = await package.affected()
        #expect(
            text.hasPrefix("UsesOne: depends on One: ") && text.hasSuffix("/Packages/near/Sources/A/A.swift changed\n"),
            "\(text)"
        )
        #expect(text.contains("\nImportsA: depends on One: ") && text.split(separator: "\n").count == 2, "\(text)")
        try await package.git("checkout", "-q", ".")
        try package.folder.write("// new", to: "Packages/deep/Sources/D-1/D.swift")
        let deep = await package.affected()
        #expect(deep.hasPrefix("UsesTwo: depends on Two: ") && deep.contains("\nImportsD: depends on Two: "), "\(deep)")
        #expect(deep.split(separator: "\n").count == 2)
        try await package.git("checkout", "-q", ".")
        try package.folder.write(
            try String(contentsOf: package.folder.file("Packages/near/Package.swift"), encoding: .utf8) + "// new",
            to: "Packages/near/Package.swift"
        )
        #expect(await package.affected().split(separator: "\n").count == 4)
    }

    @Test("A changed pin affects the products of a local package whose targets use it, and no others")
    func comparesPinsOfLocalPackages() async throws {
        let package = try await committed(
            targets: Self.usersOfNear,
            dependencies: ".package(path: \"Packages/near\")",
            files: [
                "Sources/UsesOne/A.swift": "", "Sources/UsesTwo/A.swift": "",
                "Package.resolved": FixturePackage.resolved(["far": "1.0.0", "deep": "1.0.0"]),
                "Packages/near/Package.swift": FixturePackage.manifest(
                    "near",
                    targets: """
                        .target(name: "A"), .target(name: "B", dependencies: [.product(name: "Far", package: "far")]),
                        """,
                    dependencies: FixturePackage.far,
                    products: Self.nearProducts
                ),
                "Packages/near/Sources/A/A.swift": "", "Packages/near/Sources/B/B.swift": "",
            ]
        )
        try package.pin(["far": "1.0.1", "deep": "1.0.0"])
        #expect(await package.affected() == "UsesTwo: depends on Two: Package.resolved changed\n")
        // A package that neither manifest names may be used by the one that is named.
        try package.pin(["far": "1.0.0", "deep": "1.0.1"])
        let text = await package.affected()
        #expect(
            text == "UsesTwo: depends on Two: Package.resolved changed the package deep, which other packages use\n"
        )
    }

    @Test("A package below the top of its repository sees the changes of local packages beside it")
    func seesTheWholeRepository() async throws {
        let folder = try TemporaryDirectory("graph")
        try folder.write(
            FixturePackage.manifest(
                targets: ".target(name: \"App\", dependencies: [.product(name: \"Lib\", package: \"lib\")])",
                dependencies: ".package(path: \"../lib\")"
            ),
            to: "app/Package.swift"
        )
        try folder.write("", to: "app/Sources/App/A.swift")
        let lib = FixturePackage.manifest(
            "lib",
            targets: ".target(name: \"Lib\")",
            products: ".library(name: \"Lib\", targets: [\"Lib\"])"
        )
        try folder.write(lib, to: "lib/Package.swift")
        try folder.write("", to: "lib/Sources/Lib/L.swift")
        try await FixturePackage.commit(folder.path)
        try folder.write("// new", to: "lib/Sources/Lib/L.swift")
        try folder.write("", to: "other/file")
        // A setting of the user, or a hook of git, does not narrow this.
        let settings = try String(contentsOf: folder.file(".git/config"), encoding: .utf8)
        try folder.write(settings + "[diff]\nrelative = true\n", to: ".git/config")
        let result = try await FixturePackage.runProgram(
            ["affected", "--since", "HEAD", folder.path + "/app"],
            environment: ["GIT_DIR": folder.path + "/.git", "GIT_INDEX_FILE": folder.path + "/index"]
        )
        let text = result.output
        #expect(
            text.hasPrefix("App: depends on Lib: ") && text.contains("lib/Sources/Lib/L.swift changed"),
            "\(result)"
        )
        // The version of the toolchain is also chosen above the package, but not beside it.
        try folder.write("6.3", to: ".swift-version")
        try folder.write("6.3", to: "other/.swift-version")
        let versioned = await FixturePackage.run(["affected", "--since", "HEAD"], in: folder.path + "/app").text
        #expect(versioned.hasPrefix("App: ") && versioned.contains("/.swift-version changed, which is for the whole"))
        let beside = ["affected", "--files", folder.path + "/other/.swift-version"]
        #expect(await FixturePackage.run(beside, in: folder.path + "/app").text == "")
    }

    @Test("An added target affects itself and who depends on it now; a changed package requirement affects its users")
    func comparesManifests() async throws {
        let near = ".package(url: \"https://near.invalid/near.git\", from: \"1.0.0\")"
        let targets = """
            .target(name: "A"), .target(name: "B", dependencies: ["A"]),
            .target(name: "C", dependencies: [.product(name: "Far", package: "far")]),
            .target(name: "D", dependencies: [.product(name: "Near", package: "near")]),
            """
        let package = try await committed(
            targets: targets,
            dependencies: "\(FixturePackage.far), \(near), .package(path: \"../beside\")",
            files: ["A", "B", "C", "D", "New"].reduce(into: [:]) { $0["Sources/\($1)/S.swift"] = "" }
        )
        try package.changeManifest(
            ".target(name: \"A\"),",
            to: ".target(name: \"A\", dependencies: [\"New\"]), .target(name: \"New\"),"
        )
        #expect(
            await package.affected() == """
                A: its definition in Package.swift changed
                New: its definition in Package.swift changed
                B: depends on A: its definition in Package.swift changed

                """
        )
        try await package.git("checkout", "-q", "Package.swift")
        try package.changeManifest("far.git\", from: \"1.0.0\"", to: "far.git\", from: \"2.0.0\"")
        #expect(await package.affected() == "C: depends on Far: its package in Package.swift changed\n")
    }

    @Test("Of several manifests, that of the toolchain's version is compared")
    func choosesTheManifest() async throws {
        let package = try await committed(
            targets: ".target(name: \"A\"), .target(name: \"B\"),",
            files: ["Sources/A/S.swift": "", "Sources/B/S.swift": ""]
        )
        let manifest = try package.manifest()
        // SwiftPM prefers a manifest for a version if its tools version is higher.
        func versioned(_ text: String) -> String {
            text.replacing("swift-tools-version: 6.0", with: "swift-tools-version: 6.1")
        }
        try package.folder.write(versioned(manifest), to: "Package@swift-6.1.swift")
        try await package.commit()
        try package.folder.write(versioned(manifest) + "// a comment\n", to: "Package@swift-6.1.swift")
        let note = await package.run("affected", "--since", "HEAD").errors
        #expect(note == "dependency-graph: the changes of Package@swift-6.1.swift do not concern any target\n")
        let changed = manifest.replacing(".target(name: \"B\")", with: ".target(name: \"B\", dependencies: [\"A\"])")
        // The toolchain reads the other manifest.
        try package.folder.write(changed, to: "Package.swift")
        #expect(await package.affected() == "")
        try package.folder.write(versioned(changed), to: "Package@swift-6.1.swift")
        #expect(await package.affected() == "B: its definition in Package.swift changed\n")
    }

    @Test(
        "A changed pin of a package that only other packages use affects all users of packages; both formats are read"
    )
    func followsIndirectPins() async throws {
        func resolved(_ deep: String, far: String = "1.0.0") -> String {
            #"{"object": {"pins": [{"repositoryURL": "https://far.invalid/Far.git", "state": {"version": "\#(far)"}}, "#
                + #"{"repositoryURL": "https://far.invalid/deep", "state": {"version": "\#(deep)"}}]}, "version": 1}"#
        }
        // The folder of a target may be that of the package, whose Package.resolved is no source of it.
        let package = try await committed(
            targets: """
                .target(name: "A", path: "."),
                .target(name: "B", dependencies: [.product(name: "Far", package: "far")]),
                """,
            dependencies: FixturePackage.far,
            files: ["A.swift": "", "Sources/B/S.swift": "", "Package.resolved": resolved("1.0.0")]
        )
        try package.folder.write(resolved("1.0.0") + "\n", to: "Package.resolved")
        #expect(await package.affected() == "")
        try package.folder.write(resolved("1.0.1"), to: "Package.resolved")
        #expect(
            await package.affected()
                == "B: depends on Far: Package.resolved changed the package deep, which other packages use\n"
        )
        try package.folder.write(resolved("1.0.0", far: "1.0.1"), to: "Package.resolved")
        #expect(await package.affected() == "B: depends on Far: Package.resolved changed\n")
    }
}
