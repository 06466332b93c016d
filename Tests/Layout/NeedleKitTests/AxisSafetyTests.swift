import Foundation
import TestSupport
import Testing

/// Code that relates anchors of different kinds does not compile; the same code with anchors of one kind does.
@Suite("Axis safety")
struct AxisSafetyTests {
    /// Every attribute of a statement with the kind of its anchors.
    private let kinds: [(name: String, kind: String)] = [
        ("left", "XPosition"), ("right", "XPosition"), ("leading", "XPosition"), ("trailing", "XPosition"),
        ("centerX", "XPosition"), ("top", "YPosition"), ("bottom", "YPosition"), ("centerY", "YPosition"),
        ("firstBaseline", "YPosition"), ("lastBaseline", "YPosition"), ("width", "Extent"), ("height", "Extent"),
        ("edges", "AllEdges"), ("directionalEdges", "AllDirectionalEdges"), ("horizontal", "HorizontalEdges"),
        ("vertical", "VerticalEdges"), ("size", "Extents"), ("center", "Centers"), ("top.left", "Mixed"),
    ]

    /// Typechecks one statement a line. Returns the lines with an error, from 0, and the output of the compiler.
    private func errors(in statements: [String]) async throws -> (lines: Set<Int>, text: String) {
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("Snippet.swift")
        // One function for each statement, so that an error in one does not prevent the check of another.
        let functions = statements.enumerated().map { index, statement in
            "@MainActor func f\(index)(_ make: ConstraintMaker, _ b: any LayoutItem) { \(statement) }"
        }
        let text = (["import NeedleKit"] + functions).joined(separator: "\n")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let modules = ChildProcess.productsDirectory.appendingPathComponent("Modules").path
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules, file.path]
        )
        var lines: Set<Int> = []
        for line in result.errors.split(separator: "\n") where line.contains(": error: ") {
            let parts = line.split(separator: ":")
            if parts.count > 2, parts[0].hasSuffix("Snippet.swift"), let number = Int(parts[1]) {
                lines.insert(number - 2)
            }
        }
        return (lines, result.errors)
    }

    /// Expects that exactly the statements at some places do not compile.
    private func expectErrors(at wrong: Set<Int>, in statements: [String]) async throws {
        let (lines, text) = try await errors(in: statements)
        let differing = lines.symmetricDifference(wrong).sorted().prefix(5).map { statements[$0] }
        #expect(differing.isEmpty, "\(text.prefix(2000))")
    }

    @Test("Of all pairs of attributes, exactly those of the same kind and those with chained attributes compile")
    func pairs() async throws {
        var statements: [String] = []
        var wrong: Set<Int> = []
        for relation in ["equalTo", "lessThanOrEqualTo", "greaterThanOrEqualTo"] {
            for start in kinds {
                for end in kinds where end.kind != "Mixed" {
                    // The axes of chained attributes are checked when the constraints are made.
                    if start.kind != end.kind, start.kind != "Mixed" { wrong.insert(statements.count) }
                    statements.append("make.\(start.name).\(relation)(b.ndl.\(end.name))")
                }
            }
        }
        try await expectErrors(at: wrong, in: statements)
    }

    @Test("A statement can change its target only to anchors of the same kind")
    func redirected() async throws {
        var statements: [String] = []
        var wrong: Set<Int> = []
        for start in kinds where start.kind != "Mixed" {
            for end in kinds where end.kind != "Mixed" {
                if start.kind != end.kind { wrong.insert(statements.count) }
                statements.append("try? make.\(start.name).equalTo(b).setTarget(b.ndl.\(end.name))")
            }
        }
        try await expectErrors(at: wrong, in: statements)
    }

    @Test("Sizes fit extents, insets edges, offsets centers; items, areas and numbers fit all attributes")
    func others() async throws {
        let right: [(text: String, kinds: Set<String>?)] = [
            ("LayoutSize(width: 1, height: 2)", ["Extents", "Mixed"]),
            ("LayoutInsets(1)", ["AllEdges", "HorizontalEdges", "VerticalEdges", "Mixed"]),
            ("DirectionalInsets(leading: 1)", ["AllDirectionalEdges", "Mixed"]),
            ("LayoutOffset(x: 1, y: 2)", ["Centers", "Mixed"]),
            ("b", nil), ("b.ndl.safeArea", nil), ("b.ndl.margins", nil), ("3", nil), ("2.5", nil),
        ]
        var statements: [String] = []
        var wrong: Set<Int> = []
        for start in kinds {
            for end in right {
                if let kinds = end.kinds, !kinds.contains(start.kind) { wrong.insert(statements.count) }
                statements.append("make.\(start.name).equalTo(\(end.text))")
            }
        }
        try await expectErrors(at: wrong, in: statements)
    }

    @Test(
        "The error for an anchor on another axis names the axis, and that for a priority of UIKit its name here",
        arguments: ["left", "width"]
    )
    func message(_ attribute: String) async throws {
        for relation in ["equalTo", "lessThanOrEqualTo", "greaterThanOrEqualTo"] {
            let (lines, text) = try await errors(in: ["make.\(attribute).\(relation)(b.ndl.top)"])
            #expect(lines == [0])
            #expect(text.contains("refer to an anchor on the same axis"), "\(text)")
            #expect(!text.contains("no exact matches"))
        }
        let (_, text) = try await errors(in: ["make.\(attribute).equalTo(b).priority(.defaultHigh)"])
        #expect(text.contains("'defaultHigh' has been renamed to 'high'"), "\(text)")
    }
}
