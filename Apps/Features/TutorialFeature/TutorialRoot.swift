import RIBs

/// The logic of the tutorial: leads from page to page, and reports how the user has left the last one.
@MainActor
final class TutorialRootInteractor: Interactor {
    weak var router: (any TutorialRootRouting)?
    weak var listener: (any TutorialListener)?

    private var hasFinished = false

    override func didBecomeActive() {
        super.didBecomeActive()
        router?.routeToNextPage()
    }

    override func willResignActive() {
        super.willResignActive()
        router?.cleanUpViews()
    }
}

extension TutorialRootInteractor: TutorialPageListener {
    func tutorialPageDidChoose(_ action: TutorialPage.Action) {
        switch action {
        case .next: router?.routeToNextPage()
        case .back: router?.returnToPreviousPage()
        case .finish(let signUp):
            // A second key press may arrive before the parent has detached the tutorial.
            guard !hasFinished else { return }
            hasFinished = true
            listener?.tutorialDidFinish(signUp: signUp)
        }
    }
}

/// The transitions of the tutorial.
@MainActor
protocol TutorialRootRouting: ViewlessRouting {
    /// Attaches the next page. The stack of pages is presented over the parent's view with the first one.
    func routeToNextPage()

    /// Pops the last page and detaches it.
    func returnToPreviousPage()
}

/// Owns the navigation of the pages: the first one is presented, later ones are pushed.
@MainActor
final class TutorialRootRouter: Router<TutorialRootInteractor>, TutorialRootRouting {
    private let root: any TutorialRootViewControllable
    private let navigation: any TutorialNavigating
    private let pageBuilder: TutorialPageBuilder
    private var pages: [any ViewableRouting] = []
    private var isPresented = false

    init(
        interactor: TutorialRootInteractor,
        root: any TutorialRootViewControllable,
        navigation: any TutorialNavigating,
        pageBuilder: TutorialPageBuilder
    ) {
        (self.root, self.navigation, self.pageBuilder) = (root, navigation, pageBuilder)
        super.init(interactor: interactor)
    }

    func routeToNextPage() {
        guard let page = pageBuilder.build(withListener: interactor, index: pages.count) else { return }
        pages.append(page)
        attachChild(page)
        if pages.count > 1 { return navigation.push(page.viewControllable) }
        navigation.setRoot(page.viewControllable)
        isPresented = true
        root.present(tutorial: navigation)
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
}

extension TutorialRootRouter: RestorableRouting {
    var restorationID: String { "tutorial" }

    var restorationState: [String: String] { ["page": String(pageNumber)] }

    func restore(state: [String: String]) {
        let page = state["page"].flatMap { Int($0) } ?? 1
        while pageNumber < min(page, pageBuilder.pages.count) { routeToNextPage() }
    }
}
