import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Snackbars")
@MainActor
struct SnackbarTests {
    @Test("T5: a message that replaces the visible one is shown at once, before messages that wait")
    func replaces() async {
        let snackbar = SnackbarController(content: Stack([Button("Login")]))
        let app = TestApplication(root: snackbar, size: Size(width: 40, height: 6))
        await app.settle()
        snackbar.show("first", duration: nil)
        snackbar.show("second", duration: nil)
        snackbar.show("urgent", duration: nil, replacesVisible: true)
        await app.settle()
        #expect(app.text.contains("urgent") && !app.text.contains("first"))
        snackbar.close()
        await app.settle()
        #expect(app.text.contains("second"))
    }
}
