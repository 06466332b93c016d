import Foundation
import TestSupport
import Testing

/// Code that mixes kinds of anchors must not compile; the same code without the mistake must.
@Suite("Axis safety")
struct AxisSafetyTests {
    private func typecheck(_ statement: String) async throws -> ChildResult {
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("Snippet.swift")
        let text = """
            import NeedleKit
            @MainActor func snippet(_ a: any LayoutItem, _ b: any LayoutItem) {
                a.ndl.makeConstraints { make in \(statement) }
            }
            """
        try text.write(to: file, atomically: true, encoding: .utf8)
        let modules = ChildProcess.productsDirectory.appendingPathComponent("Modules").path
        return try await ChildProcess.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules, file.path]
        )
    }

    @Test("An anchor meets its own kind", arguments: ["left.equalTo(b.ndl.right)", "width.equalTo(b.ndl.height)"])
    func compiles(_ statement: String) async throws {
        let result = try await typecheck("make.\(statement)")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        "An anchor of another kind does not compile",
        arguments: [
            "left.equalTo(b.ndl.top)", "top.equalTo(b.ndl.centerX)", "width.equalTo(b.ndl.left)",
            "edges.equalTo(b.ndl.left)", "center.equalTo(b.ndl.size)", "top.left.equalTo(b.ndl.top)",
        ]
    )
    func doesNotCompile(_ statement: String) async throws {
        let result = try await typecheck("make.\(statement)")
        #expect(result.status != 0)
        let isMismatch =
            result.errors.contains("error: cannot convert value of type 'Anchor<")
            || result.errors.contains("error: no exact matches in call to instance method 'equalTo'")
        #expect(isMismatch, "\(result.errors)")
    }
}
