import RIBs
import Testing

@Suite("Mock routers", .timeLimit(.minutes(1)))
@MainActor
struct MockRouterTests {
    enum Transition: Equatable { case editor, close }

    @MainActor
    final class Reports {
        var texts: [String] = []
    }

    @Test("Routing calls and the router's own transitions are expected in their order")
    func expects() {
        let reports = Reports()
        let router = MockRouter<Transition>(Interactor()) { reports.texts.append($0) }
        let child = Router(interactor: Interactor())
        router.record(.editor)
        router.attachChild(child)
        router.detachChild(child)
        router.load()
        router.expect(.editor)
        router.expect(call: .attach("Router<Interactor>"))
        router.expect(call: .detach("Router<Interactor>"))
        router.expect(call: .load)
        var isShown = false
        router.attachChild(MockRouter<Transition>(Interactor()) { reports.texts.append($0) }) { _ in isShown = true }
        router.expect(call: .attach("MockRouter<Transition>"))
        router.finish()
        #expect(reports.texts.isEmpty && isShown)
        #expect(!child.interactable.isActive && router.children.isEmpty)
    }

    @Test("A routing call that the test does not assert is reported, at the end or when the mock is deallocated")
    func reportsUnasserted() {
        let reports = Reports()
        let router = MockRouter<Transition>(Interactor()) { reports.texts.append($0) }
        router.record(.close)
        router.finish()
        #expect(reports.texts.count == 1 && reports.texts[0].contains("close"))
        do {
            let other = MockRouter<Transition>(Interactor()) { reports.texts.append($0) }
            other.attachChild(Router(interactor: Interactor()))
        }
        #expect(reports.texts.count == 2 && reports.texts[1].contains("attach"))
    }
}
