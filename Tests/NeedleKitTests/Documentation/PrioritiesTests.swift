import NeedleKit
import Testing

@MainActor
@Suite("Priorities")
struct PrioritiesTests {
    @Test("The article's sidebar is as wide as it says, and its priorities change in place")
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
        stage.layout()
        #expect(sidebar.laidOut.width == 25)
        pinned[0].setPriority(.required)
        stage.layout()
        #expect(sidebar.laidOut.width == 50)
        pinned[0].setPriority(.low)
        stage.layout()
        #expect(sidebar.laidOut.width == 25)
    }

    @Test("Of two texts side by side, the one that resists more keeps its width")
    func content() {
        let name = Box("name", content: IntrinsicSize(width: 10, height: 1))
        let note = Box("note", content: IntrinsicSize(width: 30, height: 1))
        let stage = Stage(width: 30, height: 1, name, note)
        stage.root.ndl.stack([name, note], axis: .horizontal, spacing: 1)
        name.ndl.setCompressionResistance(.high + 1, .horizontal)
        note.ndl.setHugging(.low - 1, .horizontal)
        stage.layout()
        #expect(name.laidOut.width == 10 && note.laidOut.width == 19)
        stage.engine.setSize(width: 60, height: 1)
        stage.layout()
        #expect(name.laidOut.width == 10 && note.laidOut.width == 49)
    }
}
