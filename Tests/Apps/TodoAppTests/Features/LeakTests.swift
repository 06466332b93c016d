import AppTestSupport
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("Leaks")
@MainActor
struct LeakTests {
    @Test("Nothing of the tree is retained after the end, whatever was opened and still under way")
    func wholeTree() async throws {
        try await LeakDetector.reporting {
            Issue.record("\($0)")
        } whileRunning: {
            let screen = try await AppOnScreen(
                width: 80,
                height: 24,
                todos: ["walk", "우유 사기"],
                pictures: FakePictureService(.later)
            )
            await screen.type("e\u{1B}")
            await screen.type("o\u{1B}")
            try await screen.type(" ", waitingFor: "Done: ")
            #expect(screen.services.store.takeCalls().count == 1)
            try await screen.type("o", waitingFor: "Files")
            await screen.app.quit()
        }
    }

    @Test("An editor and a profile that are closed are gone at once")
    func closed() async throws {
        let screen = try await AppOnScreen(width: 80, height: 24, todos: ["walk"])
        let home = try #require(screen.root.children.first)
        let list = try #require(home.children.first)
        weak var editor: AnyObject?
        weak var profile: AnyObject?
        await screen.type("e")
        editor = list.children.first?.interactable
        #expect(editor != nil)
        await screen.type("\u{1B}o")
        profile = home.children.last?.interactable
        #expect(home.children.count == 3 && profile != nil)
        await screen.type("\u{1B}")
        try await eventually { editor == nil && profile == nil }
    }
}
