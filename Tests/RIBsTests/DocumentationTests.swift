import Foundation
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

protocol GreetingDependency: Dependency {
    var greeting: String { get }
}

final class GreetingViewController: ViewController, ViewControllable {}

final class GreetingBuilder: Builder<any GreetingDependency> {
    func build() -> any ViewableRouting {
        let viewController = GreetingViewController(filledBy: Label(dependency.greeting))
        return ViewableRouter(interactor: Interactor(), viewController: viewController)
    }
}

final class RootComponent: Component<any EmptyDependency>, GreetingDependency {
    var greeting: String { "Hello" }
}

final class RootViewController: ViewController, ViewControllable {
    func show(_ child: any ViewControllable) {
        guard let child = child as? ViewController else { return }
        addChild(child)
        view.fill(with: child.view)
    }
}

final class RootRouter: LaunchRouter<Interactor, RootViewController> {
    private let greeting: GreetingBuilder

    init(_ component: RootComponent) {
        greeting = GreetingBuilder(dependency: component)
        super.init(interactor: Interactor(), viewController: RootViewController())
    }

    override func didLoad() {
        super.didLoad()
        attachChild(greeting.build(), show: viewController.show)
    }
}

/// The application shows its window when it runs.
final class ScreenWindow: RootWindow {
    private let application: Application

    init(application: Application) { self.application = application }

    func setRootViewController(_ viewController: any ViewControllable) {
        application.window.rootViewController = viewController as? ViewController
    }

    func makeVisible() {}
}

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

    @Test("The example with views shows the child's view, which has the parent's greeting")
    func views() async {
        let app = TestApplication(root: ViewController())
        let root = RootRouter(RootComponent(dependency: EmptyComponent()))
        root.launch(in: ScreenWindow(application: app.application))
        await app.settle()
        #expect(app.text.contains("Hello"))
    }

    /// Compiled only: a test has no terminal.
    private func runOnTerminal() async throws {
        let application = Application(terminal: Terminal())
        let root = RootRouter(RootComponent(dependency: EmptyComponent()))
        root.launch(in: ScreenWindow(application: application))
        exit(try await application.run())
    }

    @Test("Every example of the documentation is in this target")
    func completeness() throws {
        #expect(try DocumentedExamples(of: "RIBs", count: 3).missing == [])
    }
}
