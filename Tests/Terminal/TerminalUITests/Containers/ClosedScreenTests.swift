import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Closed screens")
@MainActor
struct ClosedScreenTests {
    @Test("Closed screens leave neither constraints nor diagnostics in the layout")
    func leavesNothing() async {
        let navigation = NavigationController(root: Stack([Button("Start")]))
        let app = await launch(navigation, width: 40, height: 10)
        let engine = app.application.window.engine
        let before = engine.description
        for _ in 0..<10 {
            weak var closed: Stack?
            do {
                let detail = Stack([Label("Detail"), Button("Back")])
                closed = detail
                navigation.push(detail)
            }
            await app.settle()
            #expect(app.screen.line(0).contains("Detail") || app.text.contains("Detail"))
            navigation.pop()
            await app.settle()
            #expect(closed == nil)
            #expect(engine.diagnostics.isEmpty, "\(engine.diagnostics)")
        }
        #expect(engine.description == before)
    }
}
