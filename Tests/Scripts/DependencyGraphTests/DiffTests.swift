import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("diff, in a real repository")
struct DiffTests {
    /// A package with two revisions: a target and three edges come, a target and two edges go, and a condition changes.
    static func history() async throws -> FixturePackage {
        let package = try FixturePackage(
            targets: """
                .target(name: "Base"),
                .target(name: "Old", dependencies: ["Base"]),
                .target(name: "Top", dependencies: ["Base", "Old"]),
                .target(name: "Aside", dependencies: ["Base"]),
                """,
            files: Dictionary(
                uniqueKeysWithValues: ["Base", "Old", "Top", "Aside"].map { ("Sources/\($0)/a.swift", "") }
            )
        )
        try await package.commit()
        try package.folder.write(
            FixturePackage.manifest(
                targets: """
                    .target(name: "Base"),
                    .target(name: "New", dependencies: ["Base"]),
                    .target(name: "Top", dependencies: [.target(name: "Base", condition: .when(platforms: [.linux])), "New"]),
                    .executableTarget(name: "Aside", dependencies: ["Base"]),
                    """
            ),
            to: "Package.swift"
        )
        try package.folder.write("", to: "Sources/New/a.swift")
        try await package.commit()
        return package
    }

    @Test("Each target and edge that came, went or changed is one line; the work tree does not matter")
    func listsDifferences() async throws {
        let package = try await Self.history()
        try package.folder.write("let broken", to: "Package.swift")
        let result = await package.run("diff", "HEAD~1", "HEAD")
        #expect(
            result.text == """
                + New (regular)
                ~ Aside: regular -> executable
                - Old (regular)
                + New -> Base
                ~ Top -> Base: [always] -> [linux]
                + Top -> New
                - Old -> Base
                - Top -> Old

                """
        )
        #expect(
            result.errors == "1 target and 2 edges added, 1 target and 2 edges removed, 1 target and 1 edge changed\n"
        )
        #expect(result.status == 0)
        #expect(await package.run("diff", "HEAD", "HEAD").text == "")
        let excluded = await package.run("diff", "HEAD~1", "HEAD", "--exclude", "Old", "--exclude", "Bas").errors
        #expect(excluded.hasPrefix("dependency-graph: --exclude Bas matches no target; did you mean Base?\n"))
    }

    @Test("A product that comes from another package, and a dependency that becomes a plugin, differ")
    func comparesPackages() async throws {
        let near = ".package(url: \"https://near.invalid/near.git\", from: \"1.0.0\")"
        let package = try FixturePackage(
            targets: """
                .plugin(name: "Make", capability: .buildTool()),
                .target(name: "Top", dependencies: [.product(name: "Far", package: "far"), "Make"]),
                """,
            dependencies: "\(FixturePackage.far), \(near)"
        )
        try await package.commit()
        try package.changeManifest(
            "package: \"far\"), \"Make\"]",
            to: "package: \"near\")], plugins: [.plugin(name: \"Make\")]"
        )
        try await package.commit()
        #expect(
            await package.run("diff", "HEAD~1", "HEAD").text
                == "~ Far: package far -> package near\n~ Top -> Make: [always] -> [plugin]\n"
        )
    }

    @Test("What archives leave out is read, and what a submodule holds is not missing")
    func readsWhole() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\"), .target(name: \"Sub\", path: \"Libs/Sub\"), .target(name: \"Lost\")",
            files: ["Sources/A/a.swift": "", ".gitattributes": "/Sources export-ignore\n"]
        )
        try await package.commit()
        let module = "160000,\(String(repeating: "1", count: 40)),Libs"
        try await package.git("update-index", "--add", "--cacheinfo", module)
        try await package.git("commit", "--quiet", "--message", "Submodule")
        let text = await package.run("diff", "HEAD~1", "HEAD", "--full", "--format", "mermaid").text
        for part in ["[\"A\"]", "[\"Sub\"]", "[\"Lost ! "] { #expect(text.contains(part), "\(part) \(text)") }
    }

    @Test("Every format shows the differences by sign and colour, and nothing else but their neighbours")
    func drawsDifferences() async throws {
        let package = try await Self.history()
        func draw(_ format: String) async -> GraphCommand.Result {
            await package.run("diff", "HEAD~1", "HEAD", "--format", format)
        }
        let tree = await draw("tree").text
        #expect(tree.contains("+ New") && tree.contains("- Old") && tree.contains("~ Base [linux]"))
        let dot = await draw("dot").text
        #expect(dot.contains("\"Top\" -> \"Old\" [label=\"-\", color=\"#b42318\", penwidth=2]"))
        #expect(dot.contains("\"New\" [label=\"+ New\", color=\"#17803d\", penwidth=2.5]"))
        let mermaid = await draw("mermaid").text
        #expect(
            mermaid.contains("[\"#43; New\"]") && mermaid.contains("-->|\"#45;\"|") && mermaid.contains("linkStyle")
        )
        let json = await draw("json").text
        #expect(json.contains("\"from\" : \"HEAD~1\"") && json.contains("\"change\" : \"added\""))
        let html = await draw("html").text
        #expect(html.contains("\"change\":\"removed\"") && html.contains("Fixture, HEAD~1 to HEAD"))
        if Programs.find("dot") != nil {
            #expect(await draw("svg").text.contains("+ New"))
            #expect(await draw("png").output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test("--comment is Markdown for a pull request: the numbers, the differences and a graph of them")
    func writesComment() async throws {
        let package = try await Self.history()
        let text = await package.run("diff", "HEAD~1", "HEAD", "--comment").text
        #expect(text.hasPrefix("**Dependency graph, HEAD~1 to HEAD:** 1 target and 2 edges added, "), "\(text)")
        #expect(text.contains("```diff\n+ New (regular)\n") && text.contains("```mermaid\ngraph LR\n"), "\(text)")
        let same = await package.run("diff", "HEAD", "HEAD", "--comment").text
        #expect(same.split(separator: "\n").count == 1, "\(same)")
        #expect(await package.run("diff", "HEAD", "HEAD", "--comment", "--format", "dot").status == 2)
    }

    @Test("An unknown revision, a missing operand and a revision without a package are clear errors")
    func refuses() async throws {
        let package = try await Self.history()
        let unknown = await package.run("diff", "nowhere", "HEAD")
        #expect(unknown.status == 2 && unknown.errors.contains("there is no revision nowhere"))
        let missing = await package.run("diff", "HEAD")
        #expect(missing.status == 2 && missing.errors.contains("diff needs REV1 REV2"))
        try await package.git("rm", "--quiet", "Package.swift")
        try await package.git("commit", "--quiet", "--message", "third")
        let none = await package.run("diff", "HEAD~1", "HEAD")
        #expect(none.status == 3 && none.errors.contains("at HEAD is not a Swift package"))
    }

    @Test("The package may be in a folder of its repository")
    func readsSubfolders() async throws {
        let folder = try TemporaryDirectory("graph")
        try folder.write(FixturePackage.manifest(targets: ".target(name: \"A\"),"), to: "inner/Package.swift")
        try folder.write("", to: "inner/Sources/A/a.swift")
        try await FixturePackage.commit(folder.path)
        let result = await FixturePackage.run(["diff", "HEAD", "HEAD", folder.path + "/inner"], in: "/nowhere")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.text == "")
    }
}
