import RIBs
import TestSupport
import Testing

@Suite("RIBs' documentation", .timeLimit(.minutes(1)))
@MainActor
struct RIBsDocumentationTests {
    @Test("The example of the landing page runs as its comments say")
    func example() {
        final class CounterInteractor: Interactor {
            private(set) var count = 0

            override func didBecomeActive() { count = 1 }
            func increment() { count += 1 }
        }

        final class CounterBuilder: Builder<any EmptyDependency> {
            func build() -> Router<CounterInteractor> { Router(interactor: CounterInteractor()) }
        }

        let root = Router(interactor: Interactor())
        root.interactor.activate()
        root.load()

        let counter = CounterBuilder(dependency: EmptyComponent()).build()
        root.attachChild(counter)  // counter.interactor is active, and its count is 1
        root.detachChild(counter)  // counter.interactor is inactive
        #expect(counter.interactor.count == 1 && !counter.interactor.isActive)
        root.attachChild(counter)
        #expect(counter.interactor.isActive)
        counter.interactor.increment()
        #expect(counter.interactor.count == 2)
    }

    @Test("Every example of the documentation is in this target")
    func completeness() throws {
        let examples = try DocumentedExamples(of: "RIBs")
        #expect(examples.missing.isEmpty && examples.count == 1, "\(examples.missing)")
    }
}
