import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("svg, png, mermaid and labels")
struct PictureTests {
    /// A package whose edges have conditions, an alias, a plugin, and whose targets have every kind that needs no file.
    static func kinds() throws -> FixturePackage {
        try FixturePackage(
            targets: """
                .target(name: "Base", dependencies: [.target(name: "Library")]),
                .systemLibrary(name: "Library"),
                .plugin(name: "Generate", capability: .buildTool()),
                .target(name: "Top", dependencies: [
                    .target(name: "Base", condition: .when(platforms: [.linux])),
                    .product(name: "Far", package: "far", moduleAliases: ["Utils": "FarUtils"]),
                ], plugins: ["Generate"]),
                .executableTarget(name: "tool", dependencies: ["Top"]),
                .testTarget(name: "TopTests", dependencies: ["Top"]),
                """,
            dependencies: FixturePackage.far,
            files: [
                "Sources/Base/Base.swift": "import Library\n", "Sources/Top/One.swift": "\nimport Base\n",
                "Sources/Top/Two.swift": "import Base\n", "Sources/tool/main.swift": "import Top\n",
                "Tests/TopTests/TopTests.swift": "import Top\n", "Plugins/Generate/Generate.swift": "",
            ]
        )
    }

    @Test("Conditions, aliases, kinds and faults are in the text of every format")
    func showsConditions() async throws {
        let package = try Self.kinds()
        let tree = await package.run().text
        #expect(tree.contains("Base [linux]") && tree.contains("Far (product) [Utils as FarUtils]"))
        #expect(tree.contains("Library (system) ! Sources/Library: the folder of Library does not exist"))
        let dot = await package.run("--format", "dot").text
        #expect(dot.contains("\"Top\" -> \"Base\" [label=\"linux\", style=dashed];"))
        #expect(dot.contains("label=\"Utils as FarUtils\""))
        #expect(dot.contains("\"TopTests\" [label=\"TopTests\\n(test)\", shape=hexagon"))
        #expect(dot.contains("\"Top\" -> \"Generate\" [style=dotted];"))
        let mermaid = await package.run("--format", "mermaid").text
        #expect(mermaid.contains("-.->|\"linux\"|") && mermaid.contains("-->|\"Utils as FarUtils\"|"))
        #expect(mermaid.contains("{{\"TopTests (test)\"}}") && mermaid.contains("([\"tool (executable)\"])"))
        #expect(mermaid.contains("[(\"Library (system) ! "))
        let html = await package.run("--format", "html").text
        #expect(html.contains("\"note\":\"linux\"") && html.contains("\"note\":\"Utils as FarUtils\""))
    }

    @Test(
        "--label prints the importing files or the first import on each edge; --size makes nodes as large as their sources"
    )
    func labelsEdges() async throws {
        let package = try Self.kinds()
        let imports = await package.run("--focus", "Base", "--depth", "1", "--label", "imports").text
        #expect(imports.contains("Base [linux; 2 files]"))
        let lines = await package.run("--focus", "Base", "--depth", "1", "--label", "lines").text
        #expect(lines.contains("Base [linux; One.swift:2 and 1 more]"))
        #expect(await package.run("--format", "dot", "--label", "imports").text.contains("label=\"linux; 2 files\""))
        #expect(await package.run("--format", "mermaid", "--label", "lines").text.contains("One.swift:2 and 1 more\"|"))
        #expect(await package.run("--format", "json", "--label", "lines").text.contains("\"line\" : 2"))
        #expect(await package.run("--format", "html", "--label", "imports").text.contains("\"label\":\"2 files\""))
        #expect(await package.run("--label", "none").text == (await package.run().text))
        let sized = await package.run("--format", "dot", "--size", "lines").text
        #expect(
            sized.contains("[height=3.0, label=\"Top\\n3 lines\"]")
                && sized.contains("[height=1.9, label=\"Base\\n1 lines\"]")
        )
        #expect(sized.contains("\"Far\" [label=\"Far\\n(product)\", style"))
        let folded = await package.run("--format", "dot", "--size", "bytes", "--collapse", "Sources").text
        #expect(folded.contains("[height=4.1, label=\"Sources/\\n51 bytes\"]"), "\(folded)")
        #expect(await package.run("--size", "lines").status == 2)
    }

    @Test("--no-externals and --exclude leave out products and targets; contradictory options are refused")
    func leavesOut() async throws {
        let package = try Self.kinds()
        #expect(await !package.run("--no-externals").text.contains("Far"))
        #expect(await !package.run("--exclude", "Tests/*", "--exclude", "tool").text.contains("TopTests"))
        let unmatched = await package.run("--exclude", "Bse")
        #expect(unmatched.errors == "dependency-graph: --exclude Bse matches no target; did you mean Base?\n")
        #expect(unmatched.status == 0)
        try package.folder.write(#"{"tags": {"checks": ["kind:test"]}}"#, to: ".dependency-rules.json")
        let tagged = await package.run("--exclude", "tag:checks")
        #expect(tagged.errors == "" && !tagged.text.contains("(test)") && tagged.text.contains("tool"), "\(tagged)")
        let both = await package.run("--externals", "--no-externals")
        #expect(both.status == 2 && both.errors.contains("contradict each other"))
    }

    @Test("The order of dot is that of the manifest, so that a new target is one more line")
    func keepsTheOrder() async throws {
        let first = try FixturePackage(targets: ".target(name: \"B\"),\n.target(name: \"A\", dependencies: [\"B\"]),")
        let second = try FixturePackage(
            targets: ".target(name: \"B\"),\n.target(name: \"A\", dependencies: [\"B\"]),\n.target(name: \"C\"),"
        )
        for package in [first, second] {
            for name in ["A", "B", "C"] { try package.folder.write("", to: "Sources/\(name)/a.swift") }
        }
        let (before, after) = (await first.run("--format", "dot").text, await second.run("--format", "dot").text)
        let lines = before.split(separator: "\n")
        let added = after.split(separator: "\n").difference(from: lines)
        #expect(added.count == 1 && added.insertions.count == 1)
        #expect(lines.firstIndex { $0.contains("\"B\";") } ?? 9 < lines.firstIndex { $0.contains("\"A\";") } ?? 0)
    }

    @Test(
        "A picture of more than 40 edges is reduced, without tests and grouped by folder, and says so; --full draws all",
        .enabled(if: Programs.find("dot") != nil, "Graphviz is not installed")
    )
    func simplifies() async throws {
        let package = try LargePackage.make(60)
        let result = await package.run("--format", "svg")
        #expect(result.errors.contains("targets with ") && result.errors.contains("grouped by folder: without tests"))
        #expect(result.text.contains(">Sources/Core<") && !result.text.contains("Tests<"))
        #expect(!result.text.contains(">Far0<"))
        #expect(await package.run("--format", "svg", "--externals").text.contains(">Far0<"))
        let full = await package.run("--format", "svg", "--full")
        #expect(full.errors == "")
        #expect(full.text.contains("CoreModule0Tests<"))
        let small = try await DrawTests.diamond().run("--format", "svg")
        #expect(small.errors == "")
        #expect(small.text.contains(">TopTests<"))
    }

    @Test(
        "Beyond 500 targets a picture says what it does before it is drawn",
        .enabled(if: Programs.find("dot") != nil, "Graphviz is not installed")
    )
    func announcesLongWork() async throws {
        var large = LargePackage()
        for index in 0..<520 {
            large.add("M\(index)", in: "F\(index % 10)", index >= 10 ? ["M\(index % 10)"] : [])
        }
        let package = try large.write(withFiles: false)
        let result = try await FixturePackage.runProgram([package.folder.path, "--format", "svg"])
        #expect(
            result.errors.contains("520 targets are too many for a picture: each of 10 folders is drawn as one node")
        )
        #expect(result.output.contains(">F3/<") && !result.output.contains(">M13<"))
    }

    @Test("Mermaid has at most 500 edges: a larger graph is reduced, or split by folder, and standard error says so")
    func limitsMermaid() async throws {
        func package(_ layers: Int, _ width: Int) throws -> FixturePackage {
            var package = LargePackage()
            for layer in 0..<layers {
                for index in 0..<width {
                    let below = layer == 0 ? [] : (0..<width).map { "L\(layer - 1)N\($0)" }
                    package.add("L\(layer)N\(index)", in: "Layer\(layer)", below + (layer > 1 ? ["L0N0"] : []))
                }
            }
            return try package.write(withFiles: false)
        }
        func edges(_ text: Substring) -> Int { text.components(separatedBy: " --> ").count - 1 }
        let reduced = try await package(5, 11).run("--format", "mermaid")
        #expect(reduced.text.hasPrefix("graph LR\n"))
        #expect(edges(reduced.text[...]) == 484)
        #expect(reduced.errors.contains("of 517 edges, the 484 that no longer path implies are drawn"))
        let split = try await package(5, 14).run("--format", "mermaid")
        #expect(split.errors.contains("split by folder into 4 graphs in a Markdown document"))
        let parts = split.text.split(separator: "```mermaid\n").dropFirst()
        #expect(parts.count == 4)
        #expect(parts.allSatisfy { edges($0) == 196 && $0.hasPrefix("graph LR\n") })
        #expect(split.text.hasPrefix("## Layer1\n"))
        // The dependencies of a single target are divided, too.
        var wide = LargePackage()
        let names = (0..<650).map { "ADependencyWithAVeryLongName\($0)" }
        for name in names { wide.add(name, in: "Low", []) }
        wide.add("Top", in: "High", names)
        let top = try await wide.write(withFiles: false).run("--format", "mermaid").text
        let halves = top.split(separator: "```mermaid\n").dropFirst()
        #expect(top.hasPrefix("## High (1 of ") && halves.reduce(0) { $0 + edges($1) } == 650, "\(halves.count)")
        #expect(halves.allSatisfy { edges($0) <= 500 && $0.utf8.count < 50_010 })
    }

    @Test("Mermaid's identifiers depend on the names alone, differ, and are no words of the language")
    func namesMermaidNodes() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "end", dependencies: ["a-b", "a_b"], path: "S/end"),
                .target(name: "a-b", path: "S/a-b"),
                .target(name: "a_b", path: "S/a_b"),
                """
        )
        let text = await package.run("--format", "mermaid").text
        #expect(text.contains("  t_end --> t_a_b\n") && text.contains("  t_end --> t_a_b_\n"))
    }

    @Test("A chain of 3,000 targets is drawn as a tree: its depth does not exhaust the stack")
    func drawsDeepChains() async throws {
        let targets =
            "] + (0..<3000).map { index in .target(name: \"T\\(index)\", "
            + "dependencies: index == 0 ? [] : [.target(name: \"T\\(index - 1)\")], path: \"S\") } + ["
        let package = try FixturePackage(targets: targets)
        let result = await package.run()
        #expect(result.text.split(separator: "\n").count == 3000, "\(result.errors)")
        #expect(await package.run("--metrics").text.contains("longest chain, 3000 targets"))
    }

    @Test("Names and labels are text in every language, whatever they mean there")
    func escapesNames() throws {
        // With a scalar before it, a sign is not a character of its own.
        let joined = "\u{600}<\u{600}\""
        let labels = [
            ("+ B", "#43; B"), ("-", "#45;"), ("1. Core", "1#46; Core"), ("12) Core", "12#41; Core"),
            ("a-1.0+b", "a-1.0+b"),
            ("__Foo__", "#95;#95;Foo#95;#95;"), (joined, "\u{600}#lt;\u{600}#quot;"),
        ]
        let targets = labels.map { GraphTarget(name: $0.0, kind: .regular, folder: "") }
        let picture = GraphPicture(graph: PackageGraph(name: joined, root: "/", targets: targets))
        func expect(_ text: String, _ part: String) {
            #expect(Data(text.utf8).range(of: Data(part.utf8)) != nil, "\(part)")
        }
        let mermaid = MermaidRenderer(picture: picture).text
        for (_, label) in labels { expect(mermaid, "[\"\(label)\"]") }
        expect(DotRenderer.quoted(joined), "\u{600}<\u{600}\\\"")
        let page = try PageRenderer(picture: picture).text()
        expect(page, "<title>\u{600}&lt;\u{600}\"")
        expect(page, "\"name\":\"\u{600}\\u003c\u{600}\\\"\"")
    }

    @Test("--into writes the graph between the markers of a file; --verify finds an old one")
    func updatesFiles() async throws {
        let package = try DrawTests.diamond()
        let begin = "<!-- dependency-graph: begin -->", end = "<!-- dependency-graph: end -->"
        try package.folder.write("# Title\n\n\(begin)\nold\n\(end)\n\nText\n", to: "docs/README.md")
        let file = package.folder.file("README.md"), docs = package.folder.file("docs").path
        let files = FileManager.default
        try files.createSymbolicLink(atPath: file.path, withDestinationPath: "docs/README.md")
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: docs + "/README.md")
        try files.linkItem(atPath: docs + "/README.md", toPath: docs + "/old.md")
        let stale = await package.run("--into", file.path, "--verify", "--reduce")
        #expect(stale.status == 1 && stale.errors.contains("README.md has an old graph"))
        #expect(await package.run("--into", file.path, "--reduce").status == 0)
        let text = try String(contentsOf: file, encoding: .utf8)
        let graph = await package.run("--format", "mermaid", "--reduce").text
        #expect(text == "# Title\n\n\(begin)\n```mermaid\n\(graph)```\n\(end)\n\nText\n")
        // The file behind the link is replaced as a whole: what it was is not touched, so that a failure would leave it.
        #expect(try String(contentsOfFile: docs + "/old.md", encoding: .utf8).contains("\nold\n"))
        #expect(try files.destinationOfSymbolicLink(atPath: file.path) == "docs/README.md")
        let permissions = try files.attributesOfItem(atPath: docs + "/README.md")[.posixPermissions]
        #expect((permissions as? NSNumber)?.intValue == 0o640)
        #expect(try files.contentsOfDirectory(atPath: docs).sorted() == ["README.md", "old.md"])
        let current = await package.run("--into", file.path, "--verify", "--reduce")
        #expect(current.status == 0 && current.errors == "")
        // Lines that end as in files of Windows do so in the graph, too.
        let crlf = text.replacing("\n", with: "\r\n")
        try package.folder.write(crlf.replacing("```mermaid", with: "old"), to: "README.md")
        #expect(await package.run("--into", file.path, "--reduce").errors == "")
        #expect(try String(contentsOf: file, encoding: .utf8) == crlf)
        let latin = Data("\(begin)\nold\n\(end)\nCaf".utf8) + [0xE9]
        try latin.write(to: file)
        let refused = await package.run("--into", file.path)
        #expect(refused.status == 3 && refused.errors.contains("it is not UTF-8"), "\(refused)")
        #expect(try Data(contentsOf: file) == latin)
        try package.folder.write("# No markers\n", to: "README.md")
        let none = await package.run("--into", file.path)
        #expect(none.status == 3 && none.errors.contains("it needs the lines"))
        let usage = await package.run("--into", file.path, "--format", "svg")
        #expect(usage.status == 2 && usage.errors.contains("--into writes a Mermaid graph"))
    }
}
