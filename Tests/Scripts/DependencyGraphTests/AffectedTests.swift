import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("affected, in real repositories")
struct AffectedTests {
    static let targets = """
        .target(name: "Base"),
        .target(name: "Middle", dependencies: ["Base"]),
        .target(name: "Top", dependencies: ["Middle"]),
        .target(name: "Other", dependencies: [.product(name: "Far", package: "far")]),
        .testTarget(name: "BaseTests", dependencies: ["Base"]),
        .testTarget(name: "TopTests", dependencies: ["Top"]),
        .testTarget(name: "OtherTests", dependencies: ["Other"]),
        """

    /// Returns a package that is committed to a repository.
    static func committed() async throws -> FixturePackage {
        let package = try FixturePackage(
            targets: targets,
            dependencies: FixturePackage.far,
            files: [
                "Sources/Base/Base.swift": "", "Sources/Middle/Middle.swift": "", "Sources/Top/Top.swift": "",
                "Sources/Other/Other.swift": "", "Tests/BaseTests/T.swift": "", "Tests/TopTests/T.swift": "",
                "Tests/OtherTests/T.swift": "", "README.md": "", "Package.resolved": "{}",
            ]
        )
        try await package.commit()
        return package
    }

    @Test("A change affects all direct and indirect dependents, with the reason")
    func closes() async throws {
        let package = try await Self.committed()
        // Of two changed files of a target the first one is the reason.
        for name in ["Second", "Base"] { try package.folder.write("// new", to: "Sources/Base/\(name).swift") }
        let result = await package.run("affected", "--since", "HEAD")
        #expect(
            result.text == """
                Base: Sources/Base/Base.swift changed
                Middle: depends on Base: Sources/Base/Base.swift changed
                Top: depends on Middle -> Base: Sources/Base/Base.swift changed
                BaseTests: depends on Base: Sources/Base/Base.swift changed
                TopTests: depends on Top -> Middle -> Base: Sources/Base/Base.swift changed

                """
        )
        #expect(await package.affected("targets") == "BaseTests\nTopTests\n")
    }

    @Test("A test that imports a target without declaring it is affected by a change of the target")
    func seesUndeclaredImports() async throws {
        let package = try await Self.committed()
        try package.folder.write("@testable import Base\n", to: "Tests/OtherTests/T.swift")
        try await package.commit()
        try package.folder.write("// new", to: "Sources/Base/Base.swift")
        #expect(await package.affected("targets") == "BaseTests\nTopTests\nOtherTests\n")
    }

    @Test("New, deleted and renamed files affect their targets; a README does not")
    func seesFiles() async throws {
        let package = try await Self.committed()
        try package.folder.write("# new", to: "README.md")
        #expect(await package.affected() == "")
        try package.folder.write("", to: "Sources/Other/New.swift")
        #expect(await package.affected("targets") == "OtherTests\n")
        try await package.git("mv", "Tests/BaseTests/T.swift", "Tests/TopTests/U.swift")
        #expect(await package.affected("targets") == "BaseTests\nTopTests\nOtherTests\n")
    }

    @Test("A changed definition affects its target, a comment in the manifest nothing, a common setting everything")
    func heedsTheManifest() async throws {
        let package = try await Self.committed()
        let manifest = FixturePackage.manifest(targets: Self.targets, dependencies: FixturePackage.far)
        try package.folder.write(manifest + "// a comment\n", to: "Package.swift")
        #expect(await package.affected() == "")
        try package.folder.write(
            manifest.replacing(".target(name: \"Top\", dep", with: ".target(name: \"Top\", exclude: [], dep")
                .replacing("exclude: [], dependencies: [\"Middle\"]", with: "dependencies: [\"Middle\", \"Base\"]"),
            to: "Package.swift"
        )
        #expect(
            await package.affected() == """
                Top: its definition in Package.swift changed
                TopTests: depends on Top: its definition in Package.swift changed

                """
        )
        try package.folder.write(
            manifest.replacing("name: \"Fixture\",", with: "name: \"Fixture\", platforms: [.macOS(.v15)],"),
            to: "Package.swift"
        )
        let all = await package.affected().split(separator: "\n")
        #expect(all.count == 7)
        #expect(all.allSatisfy { $0.hasSuffix(": Package.swift changed its platforms") })
        for file in [".swift-version", ".swiftpm/configuration/mirrors.json"] {
            let lines = await package.run("affected", "--files", file).text.split(separator: "\n")
            #expect(lines.count == 7, "\(lines)")
            #expect(lines.allSatisfy { $0.hasSuffix(": \(file) changed, which is for the whole build") })
        }
    }

    @Test("A file in a folder whose name begins with that of a target does not affect the target")
    func distinguishesFolders() async throws {
        let package = try await Self.committed()
        try package.folder.write("", to: "Sources/BaseDocs/x.md")
        try package.folder.write("", to: "Sources/Base.md")
        #expect(await package.affected() == "")
    }

    @Test("Only the targets that use a package with a changed pin are affected")
    func comparesPins() async throws {
        let near = "\(FixturePackage.far), .package(url: \"https://near.invalid/near.git\", from: \"1.0.0\")"
        let user = ".target(name: \"Next\", dependencies: [.product(name: \"Near\", package: \"near\")]),"
        let package = try FixturePackage(
            targets: Self.targets + user,
            dependencies: near,
            files: [
                "Sources/Next/Next.swift": "",
                "Package.resolved": FixturePackage.resolved(["far": "1.0.0", "near": "1.0.0"]),
            ]
        )
        try await package.commit()
        // A pin that is removed counts as a changed one.
        try package.pin(["far": "1.0.0"])
        #expect(await package.affected() == "Next: depends on Near: Package.resolved changed\n")
        try package.pin(["far": "1.0.0", "near": "1.0.1"])
        #expect(await package.affected() == "Next: depends on Near: Package.resolved changed\n")
    }

    @Test("A file that the rules declare as read, by itself or by its folder, affects the target that reads it")
    func heedsReads() async throws {
        let package = try await Self.committed()
        try package.folder.write(
            #"{"reads": [{"targets": ["TopTests"], "paths": ["./README.md", "Scripts", "Guides/*"]}]}"#,
            to: ".dependency-rules.json"
        )
        for name in ["Scripts", "Guides"] { try package.folder.write("", to: "\(name)/first") }
        try await package.commit()
        try package.folder.write("# new", to: "README.md")
        #expect(await package.affected() == "TopTests: README.md changed, which it reads\n")
        for name in ["Scripts/deep/run", "Guides/deep/run"] {
            try await package.commit()
            try package.folder.write("", to: name)
            #expect(await package.affected("targets") == "TopTests\n", "\(name)")
        }
        #expect(await package.run("affected", "--files", "Scripts.md", "--format", "targets").text == "")
        try package.folder.write(
            #"{"reads": [{"targets": ["TopTest"], "paths": ["Scripts"]}]}"#,
            to: ".dependency-rules.json"
        )
        let mistyped = await package.run("affected", "--since", "HEAD")
        #expect(mistyped.status == 2 && mistyped.errors.contains("did you mean TopTests?"), "\(mistyped)")
    }

    @Test("Changes on the other branch since the common ancestor do not count")
    func usesTheMergeBase() async throws {
        let package = try await Self.committed()
        try await package.git("branch", "feature")
        try package.folder.write("// on main", to: "Sources/Base/Base.swift")
        try await package.commit()
        try await package.git("branch", "other")
        try await package.git("checkout", "-q", "feature")
        try package.folder.write("// on feature", to: "Sources/Other/Other.swift")
        try await package.commit()
        #expect(await package.run("affected", "--since", "other", "--format", "targets").text == "OtherTests\n")
    }

    @Test("A change of the products alone affects nothing")
    func ignoresProducts() async throws {
        let package = try await Self.committed()
        let manifest = FixturePackage.manifest(targets: Self.targets, dependencies: FixturePackage.far)
        let products = "name: \"Fixture\", products: [.library(name: \"Base\", targets: [\"Base\"])],"
        try package.folder.write(manifest.replacing("name: \"Fixture\",", with: products), to: "Package.swift")
        #expect(await package.affected() == "")
    }

    @Test("Package.resolved affects the targets that use other packages")
    func heedsResolved() async throws {
        let package = try await Self.committed()
        try package.folder.write("{ }", to: "Package.resolved")
        #expect(
            await package.affected() == """
                Other: depends on Far: Package.resolved changed
                OtherTests: depends on Other -> Far: Package.resolved changed

                """
        )
    }

    @Test("An unknown revision is an error")
    func refusesUnknownRevision() async throws {
        let package = try await Self.committed()
        let result = await package.run("affected", "--since", "no-such-revision")
        #expect(result.status == 3 && result.errors.contains("no-such-revision"))
        #expect(await package.run("affected", "--since=--output=x").status == 3)
    }

    @Test("--files takes names instead of git, and --explain prints the path of reasons")
    func takesNames() async throws {
        let package = try await Self.committed()
        let explained = await package.run("affected", "--files", "Sources/Middle/Middle.swift,README.md", "--explain")
        #expect(
            explained.text == """
                Middle
                  Sources/Middle/Middle.swift changed
                Top
                  depends on Middle
                  Sources/Middle/Middle.swift changed
                TopTests
                  depends on Top
                  depends on Middle
                  Sources/Middle/Middle.swift changed

                """
        )
        let absolute = package.folder.file("Sources/Other/Other.swift").path
        let filter = await package.run(
            "affected",
            "--files",
            absolute,
            "--files",
            "Tests/BaseTests/T.swift",
            "--format",
            "filter"
        )
        #expect(filter.text == "^(BaseTests|OtherTests)\\.\n")
        #expect(GraphTarget(name: "9-lives", kind: .test, folder: "").moduleName == "__lives")
        try package.folder.write("", to: "Tests/BaseTests/one, two.txt")
        let comma = await package.run("affected", "--files", "Tests/BaseTests/one, two.txt", "--format", "targets")
        #expect(comma.text == "BaseTests\n")
        // A name that only the working folder has is relative to that one.
        let up = URL(filePath: FileManager.default.currentDirectoryPath).pathComponents.dropFirst().map { _ in "../" }
        let relative = up.joined() + package.folder.file("Tests/BaseTests/T.swift").path.dropFirst()
        #expect(await package.run("affected", "--files", relative, "--format", "targets").text == "BaseTests\n")
        let json = await package.run("affected", "--files", "Tests/BaseTests/T.swift", "--format", "json").text
        #expect(json.contains("\"path\" : [\n      \"BaseTests\"\n    ]"), "\(json)")
        // Without a revision the old manifest is unknown.
        let manifest = await package.run("affected", "--files", "Package.swift", "--format", "targets")
        #expect(manifest.text == "BaseTests\nTopTests\nOtherTests\n")
    }

    @Test("Nothing selected is not an error, and the reason is on standard error")
    func explainsNothing() async throws {
        let package = try await Self.committed()
        let unchanged = await package.run("affected", "--since", "HEAD", "--format", "filter")
        #expect(unchanged.text == "" && unchanged.status == 0)
        #expect(unchanged.errors == "dependency-graph: no file changed\n")
        try package.folder.write("# new", to: "README.md")
        let ignored = await package.run("affected", "--since", "HEAD", "--format", "targets")
        #expect(ignored.text == "" && ignored.status == 0)
        #expect(
            ignored.errors
                == "dependency-graph: no target contains README.md or declares in \"reads\" that it reads them\n"
        )
        try package.folder.write(
            FixturePackage.manifest(targets: Self.targets, dependencies: FixturePackage.far) + "//",
            to: "Package.swift"
        )
        try await package.git("checkout", "-q", "README.md")
        let comment = await package.run("affected", "--since", "HEAD")
        #expect(comment.errors == "dependency-graph: the changes of Package.swift do not concern any target\n")
        try await package.git("checkout", "-q", "Package.swift")
        try package.folder.write("import PackageDescription", to: "Sources/Alone/A.swift")
        let names = ["1.md", "2.md", "3.md", "4.md", "5.md", "6.md", "Sources/Alone/A.swift"]
        for (count, more) in [(5, ""), (7, " and 2 more")] {
            let named = await package.run("affected", "--files", names.suffix(count).joined(separator: ","))
            let shown = names.suffix(count).prefix(5).joined(separator: ", ") + more
            #expect(named.errors.contains("no target contains \(shown) or declares"), "\(named.errors)")
        }
    }
}
