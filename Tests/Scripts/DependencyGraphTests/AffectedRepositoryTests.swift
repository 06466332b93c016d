import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("affected: local packages in other git repositories")
struct AffectedRepositoryTests {
    /// A folder with the package "app" in a repository, and the package "lib", on which it depends, beside or below it.
    private struct Packages {
        let folder: TemporaryDirectory

        /// Writes the package "app", whose manifest has this path of the library.
        init(library: String) throws {
            folder = try TemporaryDirectory("graph")
            try folder.write(
                FixturePackage.manifest(
                    targets: """
                        .target(name: "App", dependencies: [.product(name: "Lib", package: "lib")]),
                        .testTarget(name: "AppTests", dependencies: ["App"]), .target(name: "Alone"),
                        """,
                    dependencies: ".package(path: \"\(library)\")"
                ),
                to: "app/Package.swift"
            )
            for name in ["Sources/App", "Sources/Alone", "Tests/AppTests"] {
                try folder.write("", to: "app/\(name)/File.swift")
            }
        }

        /// Writes the library into a folder and commits it there.
        func writeLibrary(to name: String, commits: Bool = true) async throws {
            let manifest = FixturePackage.manifest(
                "lib",
                targets: ".target(name: \"Lib\"), .target(name: \"Other\"),",
                products: ".library(name: \"Lib\", targets: [\"Lib\"])"
            )
            try folder.write(manifest, to: "\(name)/Package.swift")
            try folder.write("", to: "\(name)/Sources/Lib/File.swift")
            try folder.write("", to: "\(name)/Sources/Other/File.swift")
            if commits { try await commit(name) }
        }

        func commit(_ name: String) async throws { try await FixturePackage.commit(folder.file(name).path) }

        func git(_ name: String, _ arguments: String...) async throws {
            try await FixturePackage.git(arguments, in: folder.file(name).path)
        }

        func affected(_ revision: String = "HEAD") async -> GraphCommand.Result {
            await FixturePackage.run(
                ["affected", "--since", revision, "--format", "targets"],
                in: folder.path + "/app"
            )
        }
    }

    @Test("Uncommitted changes of a package in another repository count, and a note says that its commits do not")
    func countsUncommittedChanges() async throws {
        let packages = try Packages(library: "../lib")
        try await packages.writeLibrary(to: "lib")
        try await packages.commit("app")
        let before = await packages.affected()
        #expect(before.text == "")
        #expect(before.errors.contains("/lib is in another git repository, in which the revision is unknown"))

        try packages.folder.write("// new", to: "lib/Sources/Other/File.swift")
        #expect(await packages.affected().text == "", "no product contains the target")
        try packages.folder.write("// new", to: "lib/Sources/Lib/File.swift")
        let after = await packages.affected()
        #expect(after.text == "AppTests\n")
        #expect(after.errors.contains("App: depends on Lib: "), "\(after.errors)")
        #expect(after.errors.contains("/lib/Sources/Lib/File.swift changed"), "\(after.errors)")
        #expect(!after.errors.contains("Alone"))
    }

    @Test("Of a package in a submodule, the changes since its commit at the revision count, committed or not")
    func countsSubmodules() async throws {
        let packages = try Packages(library: "Packages/lib")
        try await packages.writeLibrary(to: "origin")
        try await packages.git("app", "init", "-q")
        try await packages.git("app", "submodule", "--quiet", "add", "../origin", "Packages/lib")
        try await packages.commit("app")
        let before = await packages.affected()
        #expect(before.text == "" && !before.errors.contains("another git repository"), "\(before.errors)")

        try packages.folder.write("// new", to: "app/Packages/lib/Sources/Lib/File.swift")
        #expect(await packages.affected().text == "AppTests\n")
        try await packages.commit("app/Packages/lib")
        #expect(await packages.affected().text == "AppTests\n")
        try await packages.commit("app")
        #expect(await packages.affected().text == "")
        #expect(await packages.affected("HEAD~1").text == "AppTests\n")
    }

    @Test(
        "A target in a submodule is affected by a file there that git does not know, whatever changes a setting ignores"
    )
    func countsTargetsInSubmodules() async throws {
        let packages = try Packages(library: "../lib")
        try await packages.writeLibrary(to: "origin")
        try packages.folder.write(
            FixturePackage.manifest(targets: ".testTarget(name: \"LibTests\", path: \"Packages/lib/Sources/Lib\")"),
            to: "app/Package.swift"
        )
        try await packages.git("app", "init", "-q")
        try await packages.git("app", "submodule", "--quiet", "add", "../origin", "Packages/lib")
        try await packages.commit("app")
        #expect(await packages.affected().text == "")
        try packages.folder.write("", to: "app/Packages/lib/Sources/Lib/New.swift")
        for ignored in ["none", "untracked", "all"] {
            try await packages.git("app", "config", "submodule.Packages/lib.ignore", ignored)
            #expect(await packages.affected().text == "LibTests\n", "\(ignored)")
        }
    }

    @Test("A package in no repository, and one that does not exist, are named on standard error")
    func namesUnknownPackages() async throws {
        let packages = try Packages(library: "../lib")
        try await packages.commit("app")
        #expect(await packages.affected().errors.contains("/lib does not exist"))
        try await packages.writeLibrary(to: "lib", commits: false)
        let errors = await packages.affected().errors
        #expect(errors.contains("/lib is in no git repository, so that its changes are unknown; --files"), "\(errors)")
        let named = await FixturePackage.run(
            ["affected", "--files", "../lib/Sources/Lib/File.swift", "--format", "targets"],
            in: packages.folder.path + "/app"
        )
        #expect(named.text == "AppTests\n", "\(named.errors)")
    }
}
