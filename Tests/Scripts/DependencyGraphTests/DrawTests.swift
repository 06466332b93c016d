import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("Drawing, with real packages")
struct DrawTests {
    /// A diamond with an executable, a test and a product of another package that is not available.
    static func diamond() throws -> FixturePackage {
        try FixturePackage(
            targets: """
                .target(name: "Base"),
                .target(name: "Left", dependencies: ["Base"]),
                .target(name: "Right", dependencies: ["Base"]),
                .target(name: "Top", dependencies: ["Left", "Right", "Base", .product(name: "Far", package: "far")]),
                .executableTarget(name: "tool", dependencies: ["Top"]),
                .testTarget(name: "TopTests", dependencies: ["Top"]),
                """,
            dependencies: FixturePackage.far,
            files: [
                "Sources/Base/Base.swift": "", "Sources/Left/Left.swift": "", "Sources/Right/Right.swift": "",
                "Sources/Top/Top.swift": "", "Sources/tool/main.swift": "", "Tests/TopTests/TopTests.swift": "",
            ]
        )
    }

    @Test("A package is read offline and unresolved, without its sources, and drawn as a tree by default")
    func drawsTree() async throws {
        let result = try await Self.diamond().run()
        #expect(
            result.text == """
                tool (executable)
                └─ Top
                   ├─ Left
                   │  └─ Base
                   ├─ Right
                   │  └─ Base
                   ├─ Base
                   └─ Far (product)
                TopTests (test)
                └─ Top …

                """
        )
        #expect(result.status == 0)
    }

    @Test("--reduce retains the edges into a cycle, of which each would imply the other, and the only edge out of it")
    func reducesCycles() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "A", dependencies: ["B", "Low"]), .target(name: "B", dependencies: ["A"]),
                .target(name: "Top", dependencies: ["A", "B"]), .target(name: "Low"),
                """
        )
        let text = await package.run("--reduce", "--format", "mermaid").text
        #expect(text.matches(of: /-->/).count == 5, "\(text)")
    }

    @Test("--reduce removes edges that a longer path implies, and --no-tests removes tests")
    func reduces() async throws {
        let result = try await Self.diamond().run("--reduce", "--no-tests")
        #expect(
            result.text == """
                tool (executable)
                └─ Top
                   ├─ Left
                   │  └─ Base
                   ├─ Right
                   │  └─ Base
                   └─ Far (product)

                """
        )
    }

    @Test("--focus, --reaches and --path select parts of the graph")
    func selects() async throws {
        let package = try Self.diamond()
        #expect(
            await package.run("--focus", "Left").text == "tool (executable)\n└─ Top\n   └─ Left\n      └─ Base\n"
                .replacing(
                    "   └─ Left\n      └─ Base",
                    with: "   ├─ Left\n   │  └─ Base\n   └─ Base"
                ) + "TopTests (test)\n└─ Top …\n"
        )
        #expect(await package.run("--focus", "Left", "--depth", "1").text == "Top\n├─ Left\n│  └─ Base\n└─ Base\n")
        #expect(
            await package.run("--reaches", "Right", "--no-tests").text == "tool (executable)\n└─ Top\n   └─ Right\n"
        )
        #expect(await package.run("--path", "tool", "Left").text == "tool (executable)\n└─ Top\n   └─ Left\n")
        let none = await package.run("--path", "Base", "Top")
        #expect(none.status == 1 && none.errors == "dependency-graph: there is no path from Base to Top\n")
    }

    @Test("--collapse draws a folder as one node")
    func collapses() async throws {
        let result = try await Self.diamond().run("--collapse", "Sources", "--reduce")
        #expect(result.text == "TopTests (test)\n└─ Sources/\n   └─ Far (product)\n")
        for wrong in ["Nowhere", "Sources/T"] {
            #expect(try await Self.diamond().run("--collapse", wrong).status == 2, "\(wrong)")
        }
    }

    @Test("A collapsed folder has the dependencies of its targets, and those on them, with each condition once")
    func collapsesConditions() {
        func dependencies(_ names: String...) -> [GraphTarget.Dependency] {
            names.enumerated().map { GraphTarget.Dependency(name: $1, platforms: $0 == 0 ? ["linux"] : []) }
        }
        let always = [GraphTarget.Dependency(name: "Low")]
        let whole = PackageGraph(
            name: "P",
            root: "/",
            targets: [
                GraphTarget(name: "Low", kind: .regular, folder: "Low"),
                GraphTarget(name: "A", kind: .regular, folder: "In/Deep/A", dependencies: dependencies("Low")),
                GraphTarget(name: "B", kind: .regular, folder: "In/B", dependencies: always),
                GraphTarget(name: "C", kind: .regular, folder: "In/C", dependencies: always),
                GraphTarget(name: "Top", kind: .regular, folder: "Top", dependencies: dependencies("A", "B", "C")),
            ]
        )
        let graph = whole.collapsing("In")
        #expect(graph["In/"]?.dependencies == dependencies("Low", "Low"))
        #expect(graph["Top"]?.dependencies == dependencies("In/", "In/"))
        // A page has the targets in it as one group, of whatever folder below it they are.
        var picture = GraphPicture(graph: whole)
        picture.collapsed = ["In/Deep", "In"]
        #expect(PageFolding(picture).groups == ["Low": "", "A": "In", "B": "In", "C": "In", "Top": ""])
    }

    @Test("Mermaid and DOT have every node and edge")
    func drawsText() async throws {
        let package = try Self.diamond()
        let mermaid = await package.run("--format", "mermaid").text
        #expect(mermaid.hasPrefix("graph LR\n"))
        #expect(mermaid.components(separatedBy: " --> ").count - 1 == 8)
        let dot = await package.run("--format", "dot").text
        #expect(dot.components(separatedBy: " -> ").count - 1 == 8)
        #expect(dot.contains("\"Top\" -> \"Left\";"))
    }

    @Test("JSON has stable members")
    func drawsJSON() async throws {
        let package = try Self.diamond()
        try package.changeManifest(
            "name: \"Fixture\",",
            to: "name: \"Fixture\", products: [.library(name: \"Kit\", targets: [\"Top\"])],"
        )
        let data = Data(await package.run("--format", "json").output)
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let targets = try #require(document["targets"] as? [[String: Any]])
        let products = try #require(document["products"] as? [[String: Any]])
        #expect(products.map { $0["name"] as? String } == ["Kit"])
        #expect(products.map { $0["targets"] as? [String] } == [["Top"]])
        #expect(document["package"] as? String == "Fixture")
        #expect(targets.map { $0["name"] as? String } == ["Base", "Left", "Right", "Top", "tool", "TopTests", "Far"])
        #expect(targets.map { $0["kind"] as? String }.suffix(3) == ["executable", "test", "product"])
        #expect(Set(targets[0].keys) == ["name", "kind", "folder", "faults", "dependencies"])
    }

    @Test("A product that has the name of a target, and products of one name in two packages, are separate nodes")
    func separatesProducts() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Base", dependencies: [.product(name: "Base", package: "far")]),
                .target(name: "Left", dependencies: [.product(name: "Kit", package: "far"), "Base"]),
                .target(name: "Right", dependencies: [.product(name: "Kit", package: "near"), .target(name: "Base")]),
                """,
            dependencies: """
                .package(url: "https://far.invalid/far.git", from: "1.0.0"),
                .package(url: "https://near.invalid/near.git", from: "1.0.0")
                """,
            files: [
                "Sources/Base/Base.swift": "", "Sources/Left/Left.swift": "", "Sources/Right/Right.swift": "",
            ]
        )
        #expect(
            await package.run().text == """
                Left
                ├─ Kit (far) (product)
                └─ Base
                   └─ Base (far) (product)
                Right
                ├─ Kit (near) (product)
                └─ Base …

                """
        )
        let json = await package.run("--format", "json").text
        #expect(json.contains("\"name\" : \"Kit (near)\"") && json.contains("\"package\" : \"near\""))
    }

    @Test("HTML is one file that loads nothing else, and SVG is drawn by Graphviz if it is installed")
    func drawsPages() async throws {
        let package = try Self.diamond()
        let html = await package.run("--format", "html").text
        #expect(html.contains("\"Top\""))
        #expect(!html.contains("src=") && !html.contains("href="))
        let file = package.folder.file("graph.svg")
        let svg = await package.run("--format", "svg", "--output", file.path)
        if svg.status == 0 {
            #expect(try String(contentsOf: file, encoding: .utf8).contains("<svg"))
        } else {
            #expect(svg.errors.contains("dot is not installed; install Graphviz"))
        }
    }

    @Test("A folder without a package and a manifest that does not compile are different errors")
    func refusesWhatIsNoPackage() async throws {
        let folder = try TemporaryDirectory("graph")
        let none = await FixturePackage.run([], in: folder.path)
        #expect(none.errors.contains("\(folder.path) is not a Swift package: it has no Package.swift"))
        #expect(none.status == 3)
        try folder.write("// swift-tools-version: 6.0\nlet oops: Int = \"\"\n", to: "Package.swift")
        let broken = await FixturePackage.run(["check"], in: folder.path)
        #expect(broken.errors.contains("cannot be read; repair it first"))
        #expect(broken.errors.contains("Package.swift:2") && broken.status == 3)
    }

    @Test(
        "Invalid arguments exit with 2 and a message that says what is valid",
        arguments: [
            (["--focus"], "--focus needs a value"),
            (["--fromat", "dot"], "did you mean \"--format\"?"),
            (["--depth", "x"], "--depth cannot be \"x\"; it is a number from 0"),
            (["--depth", "1"], "--depth is for --focus alone"),
            (["chekc"], "there is no folder or command chekc; did you mean check?"),
            (["a", "b"], "dependency-graph does not take \"b\""),
            (["affected"], "affected needs --since REV"),
        ]
    )
    func refusesWrongUsage(arguments: [String], message: String) {
        let result = GraphCommand(defaultPackage: "/nowhere").run(arguments)
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test("In a folder below a package, that package is drawn, and standard error says so")
    func findsThePackageAbove() async throws {
        let package = try Self.diamond()
        let result = await FixturePackage.run(["--no-tests"], in: package.folder.path + "/Sources/Base")
        #expect(result.text.hasPrefix("tool (executable)\n"))
        #expect(result.errors == "dependency-graph: the package is \(package.folder.path)\n")
    }

    @Test("An unknown target or format exits with 2 and suggests the nearest one")
    func namesTheNearest() async throws {
        let package = try Self.diamond()
        let target = await package.run("--focus", "Lfet")
        #expect(target.errors == "dependency-graph: there is no target Lfet; did you mean Left?\n")
        #expect(target.status == 2)
        #expect(await package.run("--format", "bmp").status == 2)
    }

    @Test("The program writes output to standard output and messages to standard error")
    func runsTheProgram() async throws {
        let package = try Self.diamond()
        let program = ChildProcess.productsDirectory.appendingPathComponent("dependency-graph")
        let tree = try await ChildProcess.run(program, [package.folder.path, "--no-tests"])
        #expect(tree.output.hasPrefix("tool (executable)\n"))
        #expect(tree.errors == "" && tree.status == 0)
        let wrong = try await ChildProcess.run(program, ["--nope"])
        #expect(wrong.output == "" && wrong.status == 2)
        let help = try await ChildProcess.run(program, ["--help"])
        #expect(help.output.contains("Examples:") && help.status == 0)
    }
}
