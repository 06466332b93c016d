import Foundation
import NeedleKit
import Pictures
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@Suite("Snapshots of screens")
@MainActor
struct ScreenSnapshotTests {
    private final class Greeting: ViewController {
        let label = Label("안녕 hello", role: .error)
        let field = TextField(text: "보리")

        override func viewDidLoad() {
            for subview in [label, field] as [View] { view.addSubview(subview) }
            label.ndl.makeConstraints { $0.top.left.equalTo(view) }
            field.ndl.makeConstraints { make in
                make.top.equalTo(label.ndl.bottom)
                make.left.equalTo(view)
                make.width.equalTo(12)
            }
        }
    }

    private func file() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("snapshot-\(UUID().uuidString).txt")
    }

    @Test(
        "A snapshot that is recorded is verified; a changed letter and a changed colour are differences with their place"
    )
    func recorded() async throws {
        let controller = Greeting()
        let app = TestApplication(root: controller, size: GridSize(width: 14, height: 3))
        await app.settle()
        let file = file()
        defer { try? FileManager.default.removeItem(at: file) }
        try ScreenSnapshot(of: app).verify(against: file, records: true)
        try ScreenSnapshot(of: app).verify(against: file, records: false)
        controller.label.text = "안녕 hallo"
        await app.settle()
        let difference = #expect(throws: SnapshotDifference.self) {
            try ScreenSnapshot(of: app).verify(against: file, records: false)
        }
        let marked = "row 0\n- |안녕 hello    |\n+ |안녕 hallo    |\n         ^"
        #expect(difference?.description.contains(marked) == true, "\(difference?.description ?? "")")
        controller.label.text = "안녕 hello"
        controller.label.role = .text
        await app.settle()
        #expect(throws: SnapshotDifference.self) { try ScreenSnapshot(of: app).verify(against: file, records: false) }
    }

    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() async throws {
        #expect(try DocumentedExamples(of: "TerminalTesting", count: 3).missing == [])
        let file = file()
        defer { try? FileManager.default.removeItem(at: file) }
        let app = TestApplication(root: GreetingViewController())
        await app.type("보리")
        #expect(app.text.contains("안녕하세요, 보리!"))
        try await app.wait(for: "보리!")
        try ScreenSnapshot(of: app).verify(against: file, records: true)
        try ScreenSnapshot(of: app).verify(against: file)
    }

    /// Compiled for the documentation.
    private func waiting(_ app: TestApplication) async throws {
        try await app.wait(for: "3 todos")
    }

    private final class GreetingViewController: ViewController {
        override func viewDidLoad() {
            let field = TextField()
            let greeting = Label()
            view.addSubview(field)
            view.addSubview(greeting)
            field.onChange = { greeting.text = "안녕하세요, \($0)!" }
            field.ndl.makeConstraints { make in
                make.top.left.equalTo(view)
                make.width.equalTo(20)
            }
            greeting.ndl.makeConstraints { make in
                make.top.equalTo(field.ndl.bottom)
                make.left.equalTo(field)
            }
        }
    }

    @Test("A missing file is a difference that says how to record it")
    func missing() async throws {
        let app = TestApplication(root: Greeting(), size: GridSize(width: 14, height: 3))
        await app.settle()
        let error = #expect(throws: SnapshotDifference.self) {
            try ScreenSnapshot(of: app).verify(against: file(), records: false)
        }
        #expect(error?.description.contains("RECORD_SNAPSHOTS=1") == true)
    }

    @Test("The text has the cursor and the styles, and the picture has the text")
    func contents() async {
        let app = TestApplication(root: Greeting(), size: GridSize(width: 14, height: 3))
        await app.settle()
        let snapshot = ScreenSnapshot(of: app)
        #expect(snapshot.text.hasPrefix("14x3, cursor (5, 1)\n|안녕 hello    |\n  0-9: "))
        #expect(snapshot.svg().contains("hello"))
    }

    @Test("A PNG has the font's pixels in the colours of the cells, two cells for a wide glyph")
    func png() throws {
        let full = String(repeating: "F", count: 32)
        let left = String(repeating: "FF00", count: 16)
        let font = BitmapFont(hex: "0041:\(full)\nAC00:\(left)\nnonsense\n0042:12")
        var screen = ScreenBuffer(size: GridSize(width: 4, height: 1))
        screen.put("A가", x: 0, y: 0, style: TextStyle(foreground: .hex(0xFF0000), background: .hex(0x0000FF)))
        let bytes = try ScreenSnapshot(screen: screen).png(font: font)
        let picture = try PictureDecoder().decode(bytes).picture
        #expect(picture.size == PixelSize(width: 32, height: 16))
        let (red, blue) = (PictureColor(255, 0, 0), PictureColor(0, 0, 255))
        #expect(picture[0, 0] == red && picture[7, 15] == red)
        #expect(picture[8, 0] == red && picture[15, 15] == red && picture[16, 0] == blue && picture[23, 15] == blue)
        #expect(picture[24, 0] == PictureColor(0x1E, 0x1E, 0x1E))
        // The caret on a reversed cell looks like the cell without both.
        var reversed = screen
        let style = TextStyle(foreground: .hex(0xFF0000), background: .hex(0x0000FF), attributes: .reverse)
        reversed.put("A", x: 0, y: 0, style: style)
        let caret = ScreenSnapshot(screen: reversed, caret: GridPoint(x: 0, y: 0))
        #expect(try PictureDecoder().decode(try caret.png(font: font)).picture == picture)
        // The selector of a presentation has no pixels.
        screen.put("가\u{FE0F}", x: 1, y: 0, style: TextStyle(foreground: .hex(0xFF0000), background: .hex(0x0000FF)))
        #expect(try PictureDecoder().decode(try ScreenSnapshot(screen: screen).png(font: font)).picture == picture)
        // A glyph that the font does not have is a box.
        screen.put("B", x: 3, y: 0, style: .plain)
        let other = try PictureDecoder().decode(try ScreenSnapshot(screen: screen).png(font: font)).picture
        #expect(other != picture && other[0, 0] == red)
    }

    @Test("The alternate screen begins and ends blank")
    func alternateScreen() {
        var emulator = TerminalEmulator(size: GridSize(width: 14, height: 1))
        for mode in ["h", "l"] {
            emulator.feed("text\u{1B}[?1049\(mode)".utf8)
            #expect(emulator.screen == ScreenBuffer(size: GridSize(width: 14, height: 1)))
        }
    }

    @Test(
        "A cluster that arrives in pieces is drawn as one, also where only the whole has no room in the row",
        arguments: [
            "e\u{301}x", "ab☀\u{FE0F}c", "👩‍👩‍👧‍👦!", "abc🇰🇷", "abcde\u{301}", "e\u{301}\u{1B}[2D\u{323}z", "abc☀\u{FE0F}",
            "가abc☀\u{FE0F}가",
        ]
    )
    func pieces(text: String) {
        let size = GridSize(width: 4, height: 3)
        var (whole, pieces) = (TerminalEmulator(size: size), TerminalEmulator(size: size))
        for start in ["", "\u{1B}[H"] {
            let bytes = Array((start + text).utf8)
            whole.feed(bytes)
            for byte in bytes { pieces.feed([byte]) }
            #expect(pieces.screen == whole.screen && pieces.cursor == whole.cursor, "\(pieces.screen.text)")
        }
    }

    @Test("Lines are erased on either side of the cursor, and what is not supported changes nothing and is reported")
    func sequences() {
        for (sequence, text) in [("K", "a"), ("0K", "a"), ("1K", "  cd"), ("2K", ""), ("3K", "abcd")] {
            var emulator = TerminalEmulator(size: GridSize(width: 4, height: 1))
            emulator.feed("abcd\u{1B}[2G\u{1B}[\(sequence)".utf8)
            #expect(emulator.screen.text == text && emulator.unknown.isEmpty == (sequence != "3K"), "\(sequence)")
        }
        var emulator = TerminalEmulator(size: GridSize(width: 4, height: 1))
        for bytes in ["\u{1B}[1m\u{1B}[4:3m\u{1B}[38:2::1:2:3m\u{1B}(", "B\u{1B}[>4mx"] { emulator.feed(bytes.utf8) }
        #expect(emulator.screen[0, 0] == Cell("x", style: TextStyle(attributes: .bold)))
        #expect(emulator.unknown == ["CSI 4:3m", "CSI 38:2::1:2:3m", "ESC 40", "CSI >4m"])
    }

    @Test("Waiting for a text ends when it appears, and reports the screen if it does not")
    func waiting() async throws {
        let controller = Greeting()
        let app = TestApplication(root: controller, size: GridSize(width: 14, height: 3))
        await app.settle()
        Task { controller.label.text = "later" }
        try await app.wait(for: "later")
        let error = try #require(
            await #expect(throws: ScreenTimeout.self) { try await app.wait(for: "never", within: .milliseconds(20)) }
        )
        #expect(error.description.contains("\"never\"") && error.screen.contains("later"))
    }
}
