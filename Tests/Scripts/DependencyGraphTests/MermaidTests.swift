import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

/// The script of Mermaid.
private enum MermaidScript {
    /// The file in the package of Mermaid/requirements.txt, or `nil` if the package is not in .build/mermaid.
    static let file: URL? = {
        let root = Project.root
        let file = root.appending(path: ".build/mermaid/diagram_renderer/renderers/static/js/mermaid.min.js")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }()
}

extension BrowserTests {
    @Suite(
        "Mermaid graphs, drawn by Mermaid in a browser",
        .enabled(if: MermaidScript.file != nil, "Mermaid is missing: .ci/run installs it")
    )
    struct MermaidTests {
        /// What Mermaid drew.
        private struct Drawing: Decodable, Sendable, Equatable {
            var nodes: Int
            var edges: Int
            var folders: Int
            /// The labels.
            var texts: [String] = []
            var error = ""
        }

        /// Draws graphs with the default settings of Mermaid and counts their parts.
        private func draw(_ graphs: [String]) async throws -> [Drawing] {
            let folder = try TemporaryDirectory("mermaid")
            let script = try #require(MermaidScript.file)
            try folder.write(
                "<!doctype html><meta charset=utf-8><script src=\"\(script.absoluteString)\"></script><body></body>",
                to: "m.html"
            )
            let browser = try await BrowserPage()
            try await browser.open(folder.file("m.html"))
            var drawings: [Drawing] = []
            for graph in graphs {
                let text = String(decoding: try JSONEncoder().encode(graph), as: UTF8.self)
                drawings.append(
                    try await browser.evaluate(
                        """
                        (async () => {
                          mermaid.initialize({ startOnLoad: false });
                          try {
                            document.body.innerHTML = (await mermaid.render("graph", \(text))).svg;
                          } catch (error) {
                            return { nodes: 0, edges: 0, folders: 0, texts: [], error: String(error) };
                          }
                          const count = selector => document.querySelectorAll(selector).length;
                          const texts = [...document.querySelectorAll(".nodeLabel, .edgeLabel")].map(e => e.textContent.trim());
                          return {
                            nodes: count(".node"), edges: count("path.flowchart-link"), folders: count(".cluster"), texts, error: ""
                          };
                        })()
                        """
                    )
                )
            }
            return drawings
        }

        @Test("Every node, edge and folder of a package is drawn, with kinds, conditions, faults and odd names")
        func drawsAll() async throws {
            let package = try FixturePackage(
                targets: """
                    .target(name: "end", path: "Core/end"),
                    .target(name: "Graph-\u{5DE5}\u{5177}", dependencies: ["end"], path: "Core/tools"),
                    .target(name: "subgraph", dependencies: [
                        .target(name: "end", condition: .when(platforms: [.linux])),
                        .product(name: "Far", package: "far", moduleAliases: ["Utils": "FarUtils"]),
                    ], path: "Features/\\"quoted\\" & <odd>"),
                    .executableTarget(name: "click", dependencies: ["subgraph", "Graph-\u{5DE5}\u{5177}"], path: "Programs/click"),
                    .testTarget(name: "style", dependencies: ["click"], path: "1. Tests/style"),
                    .target(name: "__end__", path: "Core/__end__"),
                    """,
                dependencies: FixturePackage.far
            )
            let text = await package.run("--format", "mermaid", "--findings", "--label", "imports").text
            let drawing = try #require(try await draw([text]).first)
            #expect(drawing.error == "", "\(text)")
            #expect(drawing.nodes == 7 && drawing.edges == 6, "\(drawing) \(text)")
            #expect(drawing.folders >= 2, "\(drawing)")
            #expect(drawing.texts.contains("1. Tests"), "\(drawing)")
            #expect(drawing.texts.contains { $0.hasPrefix("__end__ ! ") }, "\(drawing)")
        }

        @Test("The signs of differences are drawn as they are")
        func drawsSigns() async throws {
            let text = await (try DiffTests.history()).run("diff", "HEAD~1", "HEAD", "--format", "mermaid").text
            let texts = try #require(try await draw([text]).first).texts
            for label in ["+ New", "- Old", "~ Aside (executable)", "+", "-", "~ linux"] {
                #expect(texts.contains(label), "\(label) \(texts)")
            }
        }

        @Test("The graph of this package is drawn whole")
        func drawsThisPackage() async throws {
            let root = Project.root.path
            let options = ["--reduce", "--no-tests"]
            let json = await FixturePackage.run(["--format", "json"] + options, in: root)
            let document = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
            let targets = try #require(document?["targets"] as? [[String: Any]])
            let edges = targets.reduce(0) { $0 + (($1["dependencies"] as? [Any])?.count ?? 0) }
            let result = await FixturePackage.run(["--format", "mermaid"] + options, in: root)
            let drawing = try #require(try await draw([result.text]).first)
            #expect(drawing.error == "")
            #expect(drawing.nodes == targets.count && drawing.edges == edges, "\(drawing)")
        }

        @Test("Each part of a graph that is split by folder is drawn")
        func drawsParts() async throws {
            let result = await (try LargePackage.make(600)).run("--format", "mermaid")
            let parts = result.text.split(separator: "```mermaid\n").dropFirst().compactMap {
                $0.split(separator: "```").first.map(String.init)
            }
            #expect(parts.count > 2, "\(result.errors)")
            for (drawing, part) in zip(try await draw(parts), parts) {
                #expect(drawing.error == "" && drawing.nodes > 1, "\(drawing) \(part.prefix(300))")
            }
        }
    }
}
