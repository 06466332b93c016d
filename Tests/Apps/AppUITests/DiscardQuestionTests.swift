import AppLanguage
import TerminalTesting
import TerminalUI
import Testing

@testable import AppUI

@Suite("The question before changes are discarded")
@MainActor
struct DiscardQuestionTests {
    @Test("It is open once, however often it is asked, and can be asked again after it was closed")
    func once() async {
        let (screen, question) = (ViewController(), DiscardQuestion())
        let app = TestApplication(root: screen, size: GridSize(width: 60, height: 12))
        await app.settle()
        var discarded = 0
        func ask() async {
            let (title, message) = (LocalizedText(verbatim: "Leave?"), LocalizedText(verbatim: "a draft"))
            question.ask(over: screen, title: title, message: message, language: .english) { discarded += 1 }
            await app.settle()
        }
        for _ in 0..<2 { await ask() }
        #expect(question.isOpen && app.text.contains("a draft"))
        await app.press(.escape)
        #expect(!question.isOpen && !app.text.contains("a draft") && discarded == 0)
        await ask()
        #expect(await app.click(on: CommonText.discard(.english)))
        #expect(discarded == 1 && !question.isOpen)
    }
}
