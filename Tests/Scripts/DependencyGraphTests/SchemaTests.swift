import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("The documented schemas of the JSON output")
struct SchemaTests {
    private static let folder = Project.root.appending(path: "Scripts/DependencyGraph/DependencyGraph/Schemas")

    @Test("The graph, with labels, findings, faults, conditions, aliases and products, is valid")
    func validatesTheGraph() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Base"),
                .target(name: "Top", dependencies: [
                    .target(name: "Base", condition: .when(platforms: [.linux])),
                    .product(name: "Far", package: "far", moduleAliases: ["Utils": "FarUtils"]),
                    .product(name: "Base", package: "far"),
                ]),
                """,
            dependencies: FixturePackage.far,
            files: ["Sources/Base/Base.swift": "import Top\n"]
        )
        let schema = try JSONSchema(file: Self.folder.appending(path: "graph.schema.json"))
        let result = await package.run("--format", "json", "--label", "imports", "--findings")
        #expect(try schema.errors(in: Data(result.output)) == [])
        let text = result.text
        #expect(text.contains("\"FarUtils\"") && text.contains("\"missingFolder\"") && text.contains("\"undeclared\""))
        #expect(text.contains("\"product\" : \"Base\"") && text.contains("\"package\" : \"far\""))
    }

    @Test("The graph of this package, its metrics and a comparison of two revisions are valid")
    func validatesThisPackage() async throws {
        let root = Project.root.path
        let graph = try JSONSchema(file: Self.folder.appending(path: "graph.schema.json"))
        let document = await FixturePackage.run(["--format", "json"], in: root)
        #expect(try graph.errors(in: Data(document.output)) == [])
        let metrics = try JSONSchema(file: Self.folder.appending(path: "metrics.schema.json"))
        let measured = await FixturePackage.run(["--metrics", "--format", "json"], in: root)
        #expect(try metrics.errors(in: Data(measured.output)) == [])
        let package = try await DiffTests.history()
        let comparison = await package.run("diff", "HEAD~1", "HEAD", "--format", "json")
        #expect(try graph.errors(in: Data(comparison.output)) == [])
        #expect(comparison.text.contains("\"change\" : \"removed\""))
    }

    @Test(
        "A document that breaks the schema is invalid",
        arguments: [
            (#"{"package": "P", "faults": []}"#, "$: targets is missing"),
            (#"{"package": 1, "faults": [], "targets": []}"#, "$.package: is not a string"),
            (#"{"package": "P", "faults": [], "targets": [], "more": 1}"#, "$: more is not a known member"),
            (
                #"{"package": "P", "faults": [{"kind": "odd", "path": "", "message": ""}], "targets": []}"#,
                "$.faults[0].kind: odd is not one of"
            ),
        ]
    )
    func refuses(document: String, error: String) throws {
        let schema = try JSONSchema(file: Self.folder.appending(path: "graph.schema.json"))
        let errors = try schema.errors(in: Data(document.utf8))
        #expect(errors.count == 1 && errors[0].hasPrefix(error), "\(errors)")
    }
}
