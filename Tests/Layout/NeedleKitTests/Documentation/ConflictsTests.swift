import NeedleKit
import Testing

@MainActor
@Suite("Conflicting constraints")
struct ConflictsTests {
    @Test("The article shows the engine's report word for word")
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
        var reports: [String] = []
        for diagnostic in engine.diagnostics { reports.append(diagnostic.description) }
        let article = try articleText("Conflicts")
        #expect(reports.count == 1)
        #expect(article.contains(withoutLocations(reports.joined())), "\(reports.joined())")
        // The dropped constraint, and the rest of the layout.
        #expect(detail.laidOut == LayoutRect(40, 0, 20, 10))

        list.ndl.updateConstraints { make in
            make.width.equalTo(40).labeled("list width").priority(.high)
        }
        stage.layout()
        #expect(engine.diagnostics.isEmpty)
        #expect(list.laidOut.width == 30 && detail.laidOut.width == 30)
    }

    @Test("The article shows the report of a rejected constraint")
    func refusal() throws {
        let label = Box("label")
        let stage = Stage(width: 10, height: 1, label)
        label.ndl.makeConstraints { make in
            make.width.equalTo(Double.nan).labeled("share")
        }
        let reports = stage.engine.diagnostics.map { withoutLocations($0.description) }
        #expect(reports.count == 1)
        #expect(try articleText("Conflicts").contains(reports.joined()), "\(reports)")
    }
}
