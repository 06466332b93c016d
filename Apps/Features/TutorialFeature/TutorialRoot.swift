import RIBs

/// The logic of the tutorial: leads from page to page, and reports how the user has left the last one.
@MainActor
final class TutorialRootInteractor: Interactor {
    weak var router: (any TutorialRootRouting)?
    weak var listener: (any TutorialListener)?

    private var hasFinished = false

    override func didBecomeActive() {
        super.didBecomeActive()
        router?.routeToFirst()
    }

    override func willResignActive() {
        super.willResignActive()
        router?.cleanUpViews()
    }

    private func finish(signUp: Bool) {
        // A second key press may arrive before the parent has detached the tutorial.
        guard !hasFinished else { return }
        hasFinished = true
        listener?.tutorialDidFinish(signUp: signUp)
    }
}

extension TutorialRootInteractor: TutorialFirstListener {
    func tutorialFirstDidContinue() { router?.routeToSecond() }
    func tutorialFirstDidSkip() { finish(signUp: false) }
}

extension TutorialRootInteractor: TutorialSecondListener {
    func tutorialSecondDidContinue() { router?.routeToThird() }
    func tutorialSecondDidReturn() { router?.returnToPreviousPage() }
    func tutorialSecondDidSkip() { finish(signUp: false) }
}

extension TutorialRootInteractor: TutorialThirdListener {
    func tutorialThirdDidChooseSignUp() { finish(signUp: true) }
    func tutorialThirdDidDecline() { finish(signUp: false) }
    func tutorialThirdDidReturn() { router?.returnToPreviousPage() }
}

/// The transitions of the tutorial.
@MainActor
protocol TutorialRootRouting: ViewlessRouting {
    /// Attaches the first page and presents the stack of pages over the parent's view.
    func routeToFirst()

    /// Attaches the second page and pushes it.
    func routeToSecond()

    /// Attaches the third page and pushes it.
    func routeToThird()

    /// Pops the last page and detaches it.
    func returnToPreviousPage()
}

/// Owns the navigation of the pages: the first one is presented, later ones are pushed.
@MainActor
final class TutorialRootRouter: Router<TutorialRootInteractor>, TutorialRootRouting {
    /// The builders of the pages.
    struct Builders {
        let first: TutorialFirstBuilder
        let second: TutorialSecondBuilder
        let third: TutorialThirdBuilder
    }

    private let root: any TutorialRootViewControllable
    private let navigation: any TutorialNavigating
    private let builders: Builders
    private var pages: [any ViewableRouting] = []
    private var isPresented = false

    init(
        interactor: TutorialRootInteractor,
        root: any TutorialRootViewControllable,
        navigation: any TutorialNavigating,
        builders: Builders
    ) {
        self.root = root
        self.navigation = navigation
        self.builders = builders
        super.init(interactor: interactor)
    }

    func routeToFirst() {
        guard pages.isEmpty else { return }
        let page = builders.first.build(withListener: interactor)
        attach(page)
        navigation.setRoot(page.viewControllable)
        isPresented = true
        root.present(tutorial: navigation)
    }

    func routeToSecond() {
        guard pages.count == 1 else { return }
        push(builders.second.build(withListener: interactor))
    }

    func routeToThird() {
        guard pages.count == 2 else { return }
        push(builders.third.build(withListener: interactor))
    }

    func returnToPreviousPage() {
        guard pages.count > 1, let page = pages.popLast() else { return }
        navigation.popPage()
        detachChild(page)
    }

    func cleanUpViews() {
        guard isPresented else { return }
        isPresented = false
        root.dismiss(tutorial: navigation)
    }

    /// The number of the visible page, from 1; 0 before the first one.
    var pageNumber: Int { pages.count }

    private func push(_ page: any ViewableRouting) {
        attach(page)
        navigation.push(page.viewControllable)
    }

    private func attach(_ page: any ViewableRouting) {
        pages.append(page)
        attachChild(page)
    }
}

extension TutorialRootRouter: RestorableRouting {
    var restorationID: String { "tutorial" }

    var restorationState: [String: String] { ["page": String(pageNumber)] }

    func restore(state: [String: String]) {
        let page = state["page"].flatMap { Int($0) } ?? 1
        if page >= 2 { routeToSecond() }
        if page >= 3 { routeToThird() }
    }
}
