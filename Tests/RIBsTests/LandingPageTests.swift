import RIBs
import Testing

final class CounterInteractor: Interactor {
    private(set) var count = 0

    override func didBecomeActive() { count = 1 }
    func increment() { count += 1 }
}

final class CounterBuilder: Builder<any EmptyDependency> {
    func build() -> Router<CounterInteractor> { Router(interactor: CounterInteractor()) }
}

@Suite("The landing page", .timeLimit(.minutes(1)))
@MainActor
struct LandingPageTests {
    @Test("Its first example runs as its comments say")
    func firstExample() {
        let root = Router(interactor: Interactor())
        root.interactor.activate()
        root.load()

        let counter = CounterBuilder(dependency: EmptyComponent()).build()
        root.attachChild(counter)
        #expect(counter.interactor.isActive)
        #expect(counter.interactor.count == 1)
        counter.interactor.increment()
        root.detachChild(counter)
        #expect(!counter.interactor.isActive)
        #expect(counter.interactor.count == 2)
    }
}
