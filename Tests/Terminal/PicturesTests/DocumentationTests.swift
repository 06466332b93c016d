import Pictures
import TestSupport
import Testing

@Suite("Documentation of Pictures")
struct DocumentationTests {
    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "Pictures", count: 1).missing == [])
    }

    @Test("The example draws a picture")
    func drawing() throws {
        let bytes = try PictureEncoder().jpeg(TestPictures.quarters(400, 240))
        var printed = ""
        func print(_ text: String) { printed = text }
        do {
            let renderer = PictureRenderer(depth: .trueColor)
            let box = renderer.pixelSize(columns: 40, rows: 12)
            let decoded = try PictureDecoder().decode(bytes, fitting: box)
            print(renderer.text(decoded.picture, columns: 40, rows: 12))
        }
        #expect(printed.split(separator: "\n").count == 12)
        #expect(printed.contains("▀"))
    }
}
