import NeedleKit
import Testing

@MainActor
@Suite("Priorities")
struct PrioritiesTests {
    @Test("The article's sidebar has the stated widths, and its priorities change in place")
    func article() {
        let sidebar = Box("sidebar")
        let page = Box("page")
        let stage = Stage(width: 100, height: 10, sidebar, page)
        let engine = stage.engine

        sidebar.ndl.makeConstraints { make in
            make.vertical.leading.equalToSuperview()
            make.width.equalToSuperview().multipliedBy(0.25).priority(.medium)
            make.width.greaterThanOrEqualTo(20).priority(.high)
        }
        page.ndl.makeConstraints { make in
            make.vertical.trailing.equalToSuperview()
            make.leading.equalTo(sidebar.ndl.trailing)
            make.width.greaterThanOrEqualTo(30)
        }
        var widths: [Int] = []
        for width in [100.0, 60, 40] {
            engine.setSize(width: width, height: 10)
            stage.layout()
            widths.append(sidebar.laidOut.width)
        }
        #expect(widths == [25, 20, 10])
        #expect(engine.diagnostics.isEmpty)

        engine.setSize(width: 100, height: 10)
        let pinned = sidebar.ndl.makeConstraints { make in
            make.width.equalTo(50).priority(1)
        }
        #expect(stage.frame(of: sidebar).width == 25)
        pinned[0].setPriority(.required)
        #expect(stage.frame(of: sidebar).width == 50)
        pinned[0].setPriority(.low)
        #expect(stage.frame(of: sidebar).width == 25)
    }

    @Test("Of two texts side by side, the one with the higher resistance retains its width")
    func content() {
        let name = Box("name", content: IntrinsicSize(width: 10, height: 1))
        let note = Box("note", content: IntrinsicSize(width: 30, height: 1))
        let stage = Stage(width: 30, height: 1, name, note)
        stage.root.ndl.stack([name, note], axis: .horizontal, spacing: 1)
        name.ndl.setCompressionResistance(.high + 1, .horizontal)
        note.ndl.setHugging(.low - 1, .horizontal)
        #expect(stage.frame(of: name).width == 10 && note.laidOut.width == 19)
        stage.engine.setSize(width: 60, height: 1)
        #expect(stage.frame(of: name).width == 10 && note.laidOut.width == 49)
    }

    @Test("A label retains its width beside a field whose compression resistance is low")
    func field() {
        let label = Box("label", content: IntrinsicSize(width: 10, height: 1))
        let field = Box("field", content: IntrinsicSize(width: 30, height: 1))
        let stage = Stage(width: 30, height: 1, label, field)
        stage.root.ndl.stack([label, field], axis: .horizontal, spacing: 1)
        field.ndl.setCompressionResistance(.low, .horizontal)
        #expect(stage.frame(of: label).width == 10 && field.laidOut.width == 19)
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("A statement of priority .high ties with the content, which the ambiguities report as the article shows")
    func tie() throws {
        let tag = Box("tag", content: IntrinsicSize(width: 9, height: 1))
        let stage = Stage(width: 30, height: 1, tag)
        tag.ndl.makeConstraints { make in
            make.leading.centerY.equalToSuperview()
            make.width.equalTo(4).priority(.high)
        }
        stage.layout()
        let ambiguity = try #require(stage.engine.ambiguities.first)
        #expect(stage.engine.ambiguities.count == 1)
        #expect((ambiguity.lower, ambiguity.upper) == (4, 9))
        let article = try articleText("Priorities")
        #expect(article.contains(withoutLocations(ambiguity.description)), "\(ambiguity)")
        for (priority, width) in [(LayoutPriority.high + 1, 4), (.high - 1, 9)] {
            tag.ndl.updateConstraints { $0.width.equalTo(4).priority(priority) }
            stage.layout()
            #expect(stage.engine.ambiguities.isEmpty)
            #expect(tag.laidOut.width == width)
        }
    }
}
