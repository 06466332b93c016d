import AppLanguage
import AppTestSupport
import AppUI
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TutorialFeature

@Suite("The tutorial", .timeLimit(.minutes(3)))
@MainActor
struct TutorialRootTests {
    /// The parent: its view presents the tutorial, and it records the results.
    @MainActor
    final class Parent: ViewController, TutorialRootViewControllable, TutorialListener, TutorialDependency {
        var calls: [String] = []
        let appearance: Appearance
        let pictureKeys = PictureKeys(next: "f5", favourite: "alt-s", profile: "o")
        /// Called in the midst of a presentation or a dismissal.
        var onCall: (String) -> Void = { _ in }

        init(_ language: AppLanguage = .english) { appearance = .dog(language) }

        var tutorialRootViewController: any TutorialRootViewControllable { self }

        func present(tutorial: any ViewControllable) {
            record("present")
            if let controller = tutorial as? ViewController { present(controller) }
        }

        func dismiss(tutorial: any ViewControllable) {
            record("dismiss")
            dismiss()
        }

        func tutorialDidFinish(signUp: Bool) { record(signUp ? "sign up" : "not now") }

        private func record(_ call: String) {
            calls.append(call)
            onCall(call)
        }
    }

    /// A tutorial attached to a parent on a screen.
    @MainActor
    final class Fixture {
        let parent: Parent
        let root = Router(interactor: Interactor())
        let tutorial: any ViewlessRouting
        let app: TestApplication

        init(_ language: AppLanguage = .english, size: GridSize = GridSize(width: 80, height: 24)) async {
            parent = Parent(language)
            app = TestApplication(root: parent, size: size)
            await app.settle()
            root.interactor.activate()
            root.load()
            tutorial = TutorialBuilder(dependency: parent).build(withListener: parent)
            root.attachChild(tutorial)
            await app.settle()
        }
    }

    @Test("Three pages, each a RIB: the first is presented, the others are pushed, and Back pops")
    func pages() async throws {
        let fixture = await Fixture()
        #expect(fixture.parent.calls == ["present"])
        #expect(fixture.app.text.contains("Todos, typed on one line"))
        // Without the focus, the first button alone is the usual choice.
        await fixture.app.press(.tab)
        let usual = try #require(fixture.app.screen.find("Next"))
        #expect(fixture.app.screen[usual.x, usual.y].style.attributes.contains(.bold))
        await fixture.app.press(Key(.tab, .shift))
        #expect(
            fixture.root.treeDescription == """
                Router<Interactor> (active)
                └─ TutorialRootRouter (active)
                   └─ TutorialPageRouter (active)
                """
        )
        await fixture.app.press(.enter)
        #expect(fixture.app.text.contains("A dog beside them"))
        await fixture.app.type("n")
        #expect(fixture.app.text.contains("An account is optional"))
        #expect(
            fixture.root.treeDescription == """
                Router<Interactor> (active)
                └─ TutorialRootRouter (active)
                   ├─ TutorialPageRouter (active)
                   ├─ TutorialPageRouter (active)
                   └─ TutorialPageRouter (active)
                """
        )
        await fixture.app.type("b")
        #expect(fixture.app.text.contains("A dog beside them") && fixture.tutorial.children.count == 2)
        await fixture.app.type("b")
        #expect(fixture.app.text.contains("Todos, typed on one line") && fixture.tutorial.children.count == 1)
        await fixture.app.type("b")
        #expect(fixture.app.text.contains("Todos, typed on one line") && fixture.tutorial.children.count == 1)
        await fixture.app.press(.enter)
        #expect(fixture.app.text.contains("A dog beside them"))
        #expect(fixture.parent.calls == ["present"], "later pages are not presented")
    }

    @Test("The last page reports sign-up or not now, once", arguments: [("s", "sign up"), ("n", "not now")])
    func lastPage(key: String, result: String) async {
        let fixture = await Fixture()
        await fixture.app.type("nn\(key)\(key)")
        #expect(fixture.parent.calls == ["present", result])
    }

    @Test("The tutorial can be skipped on the first and the second page", arguments: ["\u{1B}", "n\u{1B}"])
    func skip(keys: String) async {
        let fixture = await Fixture()
        await fixture.app.type(keys)
        #expect(fixture.parent.calls == ["present", "not now"])
    }

    @Test("A detached tutorial resigns, then dismisses its pages, which become inactive with it")
    func cleansUp() async {
        let fixture = await Fixture()
        await fixture.app.type("n")
        let pages = fixture.tutorial.children
        var states: [Bool] = []
        fixture.parent.onCall = { [weak fixture] _ in
            states.append(fixture?.tutorial.interactable.isActive == true)
        }
        fixture.root.detachChild(fixture.tutorial)
        #expect(fixture.parent.calls == ["present", "dismiss"])
        #expect(states == [true], "the views are cleaned up while the interactor is still active")
        #expect(!fixture.tutorial.interactable.isActive && pages.allSatisfy { !$0.interactable.isActive })
        await fixture.app.settle()
        #expect(fixture.parent.presented == nil && !fixture.app.text.contains("dog"))
    }

    @Test("The parent's view controller comes in as a dependency, and the pages know only their listener")
    func dependency() async {
        let fixture = await Fixture()
        #expect(fixture.parent.presented is TutorialNavigationController)
        #expect(fixture.parent.children.isEmpty)
    }

    @Test("Keys of the screen behind the tutorial do not reach it, and every page works by the mouse alone")
    func mouse() async {
        let fixture = await Fixture()
        #expect(await fixture.app.click(on: "Next"))
        #expect(await fixture.app.click(on: "Next"))
        #expect(await fixture.app.click(on: "Sign up"))
        #expect(fixture.parent.calls == ["present", "sign up"])
    }

    @Test(
        "Every page can be read in both languages and sizes",
        arguments: AppLanguage.allCases,
        [
            GridSize(width: 40, height: 12), GridSize(width: 60, height: 20), GridSize(width: 200, height: 60),
        ]
    )
    func languages(language: AppLanguage, size: GridSize) async {
        let fixture = await Fixture(language, size: size)
        let pages = TutorialPage.all(of: fixture.parent.appearance, fixture.parent.pictureKeys)
        #expect(pages.count == 3)
        for (index, page) in pages.enumerated() {
            #expect(fixture.app.text.contains(page.title(language)))
            #expect(fixture.app.text.contains("\(index + 1)/3"))
            // The first button has the focus, so that it is visible even where the page scrolls.
            #expect(fixture.app.text.contains(page.choices[0].title(language)))
            if index == 1, size.width >= 60 {
                // The names of the keys are those of the user.
                #expect(["f5", "alt-s"].allSatisfy(fixture.app.text.contains), "\(fixture.app.text)")
            }
            if index < 2 { await fixture.app.press(.enter) }
        }
    }
}
