import Foundation
import NeedleKit
import Testing

@MainActor
@Suite("Read a conflict")
struct ReadAConflictTests {
    @Test("The article shows what the engine tells, word for word")
    func article() throws {
        let list = Box("list")
        let detail = Box("detail")
        let stage = Stage(width: 60, height: 10, list, detail)
        let engine = stage.engine

        list.ndl.makeConstraints { make in
            make.leading.vertical.equalToSuperview()
            make.width.equalTo(40).labeled("list width")
        }
        detail.ndl.makeConstraints { make in
            make.trailing.vertical.equalToSuperview()
            make.leading.equalTo(list.ndl.trailing).labeled("beside the list")
            make.width.greaterThanOrEqualTo(30).labeled("room to read")
        }
        stage.layout()
        var told: [String] = []
        for diagnostic in engine.diagnostics { told.append(diagnostic.description) }
        let article = try articleText()
        #expect(told.count == 1)
        #expect(article.contains(ReadAConflictTests.withoutPlaces(told.joined())), "\(told.joined())")
        // What was left out, and what goes on.
        #expect(detail.laidOut == LayoutRect(40, 0, 20, 10))

        list.ndl.updateConstraints { make in
            make.width.equalTo(40).labeled("list width").priority(.high)
        }
        stage.layout()
        #expect(engine.diagnostics.isEmpty)
        #expect(list.laidOut.width == 30 && detail.laidOut.width == 30)
    }

    @Test("A refusal reads as the article says")
    func refusal() throws {
        let label = Box("label")
        let stage = Stage(width: 10, height: 1, label)
        label.ndl.makeConstraints { make in
            make.width.equalTo(Double.nan).labeled("share")
        }
        let told = stage.engine.diagnostics.map { ReadAConflictTests.withoutPlaces($0.description) }
        #expect(told.count == 1)
        #expect(try articleText().contains(told.joined()), "\(told)")
    }

    /// The article, its lines trimmed, without files and lines.
    private func articleText() throws -> String {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.lastPathComponent != "Tests" { folder.deleteLastPathComponent() }
        let file = folder.deletingLastPathComponent().appendingPathComponent(
            "Modules/NeedleKit/NeedleKit.docc/ReadAConflict.md"
        )
        return ReadAConflictTests.withoutPlaces(try String(contentsOf: file, encoding: .utf8))
    }

    /// The text without what stands in parentheses and ends with a line's number.
    private static func withoutPlaces(_ text: String) -> String {
        text.replacing(/\ \([A-Za-z]+\/[A-Za-z]+\.swift:[0-9]+\)/, with: "")
    }
}
