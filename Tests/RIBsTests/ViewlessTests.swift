import RIBs
import Testing

/// A tutorial as one viewless RIB with pages: who shows and who dismisses.
@Suite("Viewable and viewless RIBs", .timeLimit(.minutes(1)))
@MainActor
struct ViewlessTests {
    /// A navigation controller that a view controller presents.
    final class Navigation: ViewControllable {
        var pages: [any ViewControllable] = []
    }

    /// The root's view controller, lent to the viewless child (U6).
    final class Screen: ViewControllable {
        let recorder: Recorder
        var presented: (any ViewControllable)?

        init(_ recorder: Recorder) { self.recorder = recorder }

        func present(_ viewController: any ViewControllable) {
            recorder.record("screen.present")
            presented = viewController
        }

        func dismiss() {
            recorder.record("screen.dismiss")
            presented = nil
        }
    }

    final class Page: ViewControllable {}
    typealias PageRouter = ViewableRouter<RecordingInteractor, Page>

    final class TutorialInteractor: RecordingInteractor {
        weak var router: TutorialRouter?

        override func willResignActive() {
            super.willResignActive()
            router?.cleanUpViews()
        }
    }

    /// The viewless RIB that owns the navigation (U5).
    final class TutorialRouter: Router<TutorialInteractor>, ViewlessRouting {
        let screen: Screen
        let navigation = Navigation()

        init(_ screen: Screen) {
            self.screen = screen
            super.init(interactor: TutorialInteractor("tutorial", screen.recorder))
            interactor.router = self
        }

        /// Presents the navigation with its first page, pushes later ones.
        func show(_ name: String) {
            let router = PageRouter(interactor: RecordingInteractor(name, screen.recorder), viewController: Page())
            attachChild(router)
            if navigation.pages.isEmpty {
                navigation.pages = [router.viewControllable]
                screen.present(navigation)
            } else {
                screen.recorder.record("navigation.push")
                navigation.pages.append(router.viewControllable)
            }
        }

        func cleanUpViews() {
            guard !navigation.pages.isEmpty else { return }
            screen.recorder.record("tutorial.cleanUpViews")
            navigation.pages = []
            screen.dismiss()
        }
    }

    final class RootRouter: ViewableRouter<RecordingInteractor, Screen> {
        /// A viewable child: this router presents it and dismisses it.
        func present(_ child: any ViewableRouting) {
            attachChild(child)
            viewController.present(child.viewControllable)
        }

        func dismiss(_ child: any ViewableRouting) {
            detachChild(child)
            viewController.dismiss()
        }
    }

    let recorder = Recorder()

    @Test("A viewless RIB presents its navigation for the first page and pushes the later pages")
    func presentsThenPushes() {
        let (root, tutorial) = launched()
        tutorial.show("first")
        tutorial.show("second")
        tutorial.show("third")
        #expect(
            recorder.calls == [
                "first.didBecomeActive", "screen.present", "second.didBecomeActive",
                "navigation.push", "third.didBecomeActive", "navigation.push",
            ]
        )
        #expect(tutorial.children.count == 3)
        #expect(root.children.count == 1)
    }

    @Test("Detach, then willResignActive, then cleanUpViews; the pages resign with it")
    func cleansUp() {
        let (root, tutorial) = launched()
        tutorial.show("first")
        tutorial.show("second")
        _ = recorder.take()
        root.detachChild(tutorial)
        #expect(
            recorder.calls == [
                "tutorial.willResignActive", "tutorial.cleanUpViews", "screen.dismiss",
                "first.willResignActive", "second.willResignActive",
            ]
        )
        #expect(root.viewController.presented == nil)
    }

    @Test("Detaching a viewable child does not change its view: the parent dismisses it")
    func parentDismisses() {
        let (root, tutorial) = launched()
        root.detachChild(tutorial)
        let page = PageRouter(interactor: RecordingInteractor("page", recorder), viewController: Page())
        root.present(page)
        _ = recorder.take()
        root.detachChild(page)
        #expect(recorder.take() == ["page.willResignActive"])
        #expect(root.viewController.presented === page.viewController)
        root.present(page)
        _ = recorder.take()
        root.dismiss(page)
        #expect(recorder.calls == ["page.willResignActive", "screen.dismiss"])
        #expect(root.viewController.presented == nil)
    }

    private func launched() -> (RootRouter, TutorialRouter) {
        let root = RootRouter(interactor: RecordingInteractor("root", recorder), viewController: Screen(recorder))
        root.interactor.activate()
        root.load()
        let tutorial = TutorialRouter(root.viewController)
        root.attachChild(tutorial)
        _ = recorder.take()
        return (root, tutorial)
    }
}
