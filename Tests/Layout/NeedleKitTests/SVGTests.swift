import Foundation
import NeedleKit
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("SVG")
@MainActor
struct SVGTests {
    /// The elements of a document, read by an XML parser.
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String], text: String)] = []
        private var open: [Int] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(elements.count)
            elements.append((name, attributes, ""))
        }

        func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
            open.removeLast()
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if let last = open.last { elements[last].text += string }
        }
    }

    private func read(_ svg: String) -> Reader? {
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        return parser.parse() ? reader : nil
    }

    /// A form with a guide, violated optional constraints and a conflict.
    private func form() -> Stage {
        let title = Box("title", content: IntrinsicSize(width: 24, height: 1))
        let field = Box("field", content: IntrinsicSize(width: 60, height: 1))
        let button = Box("button", content: IntrinsicSize(width: 8, height: 1))
        let stage = Stage(width: 48, height: 9, title, field, button)
        let gutter = LayoutGuide(in: stage.root, name: "gutter")
        gutter.ndl.makeConstraints { make in
            make.vertical.equalToSuperview()
            make.left.equalToSuperview().offset(14)
            make.width.equalTo(2)
        }
        title.ndl.makeConstraints { make in
            make.top.left.equalToSuperview().inset(1)
            make.right.equalTo(gutter.ndl.left)
        }
        field.ndl.makeConstraints { make in
            make.top.equalTo(title.ndl.top)
            make.left.equalTo(gutter.ndl.right)
            make.right.equalToSuperview().inset(1)
        }
        button.ndl.makeConstraints { make in
            make.bottom.right.equalToSuperview().inset(1)
            make.height.equalTo(3)
            make.top.equalTo(field.ndl.bottom).offset(1).priority(700).labeled("close to the field")
            make.width.lessThanOrEqualTo(5).labeled("narrow")
            make.width.greaterThanOrEqualTo(6).labeled("wide")
        }
        stage.layout()
        return stage
    }

    @Test("A picture contains items, guides and marked constraints at their positions")
    func content() throws {
        let stage = form()
        let svg = stage.engine.svg()
        let reader = try #require(read(svg))
        func count(_ name: String, _ style: String) -> Int {
            reader.elements.count { $0.name == name && $0.attributes["class"] == style }
        }
        #expect(count("rect", "item") == 4)
        #expect(count("rect", "guide") == 1)
        let names = reader.elements.filter { ["name", "guide-name"].contains($0.attributes["class"]) }.map(\.text)
        #expect(names == ["root", "title", "field", "button", "gutter"])
        let legend = reader.elements.filter { $0.attributes["class"] == "legend" }.map(\.text)
        let wrong = stage.engine.violations.map(\.description)
        #expect(wrong.count >= 3)
        for (place, text) in wrong.enumerated() { #expect(legend[place] == "\(place + 1)  \(text)") }
        #expect(legend.count == wrong.count + 1)
        #expect(legend.last?.contains("“wide” button.width >= 6 (NeedleKitTests/SVGTests.swift:") == true)
        #expect(legend.last?.hasSuffix("was dropped because of a conflict") == true)
        #expect(count("line", "wrong") == legend.count)
        // The button's frame, eight pixels wide and sixteen high for each unit.
        let button = try #require(stage.root.children.last)
        let frame = button.laidOut
        let title = "button: \(frame.width) x \(frame.height) at \(frame.x), \(frame.y)"
        let place = try #require(reader.elements.firstIndex { $0.text == title })
        let rectangle = reader.elements[place - 1].attributes
        #expect(rectangle["x"] == "\(frame.x * 8)" && rectangle["y"] == "\(frame.y * 16)")
        #expect(rectangle["width"] == "\(frame.width * 8)" && rectangle["height"] == "\(frame.height * 16)")
    }

    @Test("The same layout produces the same document, and the unit can be chosen")
    func deterministic() {
        let (first, second) = (form(), form())
        #expect(first.engine.svg() == second.engine.svg())
        #expect(first.engine.svg().contains("“wide”"))
        let stage = Stage(width: 10, height: 10)
        stage.layout()
        #expect(stage.engine.svg(unitWidth: 1, unitHeight: 1).contains("x=\"0\" y=\"0\" width=\"10\" height=\"10\""))
        #expect(stage.engine.svg(unitWidth: .nan, unitHeight: -1) == stage.engine.svg())
    }

    @Test("The document is well formed with any characters in names")
    func names() throws {
        for name in [
            "<b>&\"'</b>", "]]>", "a\u{0}\u{1B}[31m\u{FFFE}", "line\nbreak", "🐈 猫", String(repeating: "n", count: 500),
        ] {
            let box = Box(name)
            let stage = Stage(width: 10, height: 4, box)
            box.ndl.makeConstraints { make in
                make.edges.equalToSuperview()
                make.width.equalTo(99).priority(3).labeled(name)
            }
            stage.layout()
            let svg = stage.engine.svg()
            let reader = try #require(read(svg), "\(name.debugDescription)")
            #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
            if name.count < 40, !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0xFFFE }) {
                #expect(reader.elements.contains { $0.attributes["class"] == "name" && $0.text == name })
            }
        }
    }

    @Test("An empty layout, one before its first pass and one far outside the root can be drawn")
    func unusual() throws {
        let stage = Stage(width: 0, height: 0)
        #expect(read(stage.engine.svg()) != nil)
        let far = Box("far")
        let other = Stage(width: 10, height: 10, far)
        far.ndl.makeConstraints { make in
            make.left.equalTo(-1e9)
            make.top.equalTo(1e9)
            make.size.equalTo(LayoutSize(width: 1e9, height: 3))
        }
        other.layout()
        let reader = try #require(read(other.engine.svg()))
        #expect(
            reader.elements[0].attributes["viewBox"]?.split(separator: " ").allSatisfy { Double($0)?.isFinite == true }
                == true
        )
    }

    @Test("No two labels overlap")
    func labels() throws {
        let boxes = (0..<6).map { Box("nested \($0)") }
        let root = Box("root")
        var parent = root
        for box in boxes {
            parent.add(box)
            parent = box
        }
        let engine = LayoutEngine(root: root)
        engine.setSize(width: 40, height: 10)
        for box in boxes { box.ndl.makeConstraints { make in make.edges.equalToSuperview() } }
        _ = engine.layout()
        let reader = try #require(read(engine.svg()))
        let baselines = reader.elements.filter { $0.attributes["class"] == "name" }
            .compactMap { $0.attributes["y"].flatMap(Double.init) }.sorted()
        #expect(baselines.count == 7)
        for (upper, lower) in zip(baselines, baselines.dropFirst()) { #expect(lower - upper >= 10) }
    }

    @Test(
        "The picture can be written to a file, for looking at",
        .enabled(if: isPictureWanted, "PAWKIT_SVG names no file")
    )
    func written() throws {
        let path = try #require(ProcessInfo.processInfo.environment["PAWKIT_SVG"])
        let stage = form()
        try Data(stage.engine.svg().utf8).write(to: URL(fileURLWithPath: path))
    }

    private nonisolated static var isPictureWanted: Bool { ProcessInfo.processInfo.environment["PAWKIT_SVG"] != nil }
}
