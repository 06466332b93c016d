import Foundation
import NeedleKit
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
            label.ndl.makeConstraints { make in
                make.top.equalTo(view)
                make.left.equalTo(view)
            }
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
        let app = TestApplication(root: controller, size: Size(width: 14, height: 3))
        await app.settle()
        let file = file()
        defer { try? FileManager.default.removeItem(at: file) }
        try ScreenSnapshot(of: app).verify(against: file, records: true)
        try ScreenSnapshot(of: app).verify(against: file, records: false)
        controller.label.text = "안녕 hallo"
        await app.settle()
        var difference = ""
        do {
            try ScreenSnapshot(of: app).verify(against: file, records: false)
        } catch let error as SnapshotDifference {
            difference = error.description
        }
        #expect(difference.contains("row 0\n- |안녕 hello    |\n+ |안녕 hallo    |\n         ^"), "\(difference)")
        controller.label.text = "안녕 hello"
        controller.label.role = .text
        await app.settle()
        #expect(throws: SnapshotDifference.self) { try ScreenSnapshot(of: app).verify(against: file, records: false) }
    }

    @Test("A missing file is a difference that says how to record it")
    func missing() async throws {
        let app = TestApplication(root: Greeting(), size: Size(width: 14, height: 3))
        await app.settle()
        do {
            try ScreenSnapshot(of: app).verify(against: file(), records: false)
            Issue.record("a missing file was accepted")
        } catch let error as SnapshotDifference {
            #expect(error.description.contains("RECORD_SNAPSHOTS=1"))
        }
    }

    @Test("The text has the cursor and the styles, and the picture has the text")
    func contents() async {
        let app = TestApplication(root: Greeting(), size: Size(width: 14, height: 3))
        await app.settle()
        let snapshot = ScreenSnapshot(of: app)
        #expect(snapshot.text.hasPrefix("14x3, cursor (5, 1)\n|안녕 hello    |\n  0-9: "))
        #expect(snapshot.svg().contains("hello"))
    }

    @Test("Waiting for a text ends when it appears, and reports the screen if it does not")
    func waiting() async throws {
        let controller = Greeting()
        let app = TestApplication(root: controller, size: Size(width: 14, height: 3))
        await app.settle()
        Task { controller.label.text = "later" }
        try await app.wait(for: "later")
        do {
            try await app.wait(for: "never", within: .milliseconds(20))
            Issue.record("it was found")
        } catch let error as ScreenTimeout {
            #expect(error.description.contains("\"never\"") && error.screen.contains("later"))
        }
    }
}
