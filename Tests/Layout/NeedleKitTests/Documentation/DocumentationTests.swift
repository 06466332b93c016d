import Foundation
import NeedleKit
import TestSupport
import Testing

@MainActor
@Suite("Documentation")
struct DocumentationTests {
    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "NeedleKit", count: 22).missing == [])
    }

    @Test("The first example of the landing page produces the stated frames")
    func landingPage() {
        let root = Box("root")
        let title = Box("title")
        let body = Box("body")
        root.add(title, body)
        title.ndl.makeConstraints { make in
            make.top.horizontal.equalToSuperview().inset(1)
            make.height.equalTo(1)
        }
        body.ndl.makeConstraints { make in
            make.top.equalTo(title.ndl.bottom).offset(1)
            make.horizontal.bottom.equalToSuperview().inset(1)
        }
        let engine = LayoutEngine(root: root)
        engine.setSize(width: 80, height: 24)
        var frames: [String: LayoutRect] = [:]
        for change in engine.layout() { frames[change.item.layoutNode.name ?? ""] = change.frame }
        #expect(frames["title"] == LayoutRect(1, 1, 78, 1))
        #expect(frames["body"] == LayoutRect(1, 3, 78, 20))
    }
}

/// The text of an article without files and lines of constraints.
func articleText(_ name: String) throws -> String {
    let file = Project.root.appendingPathComponent("Modules/Layout/NeedleKit/NeedleKit.docc/\(name).md")
    return withoutLocations(try String(contentsOf: file, encoding: .utf8))
}

/// A text without files and lines in parentheses.
func withoutLocations(_ text: String) -> String {
    text.replacing(/\ \([A-Za-z]+\/[A-Za-z]+\.swift:[0-9]+\)/, with: "")
}
