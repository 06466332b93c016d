import RIBs

/// Shows home for as long as the app runs.
@MainActor
final class RootRouter: LaunchRouter<RootInteractor, any RootViewControllable> {
    private let homeBuilder: HomeBuilder

    init(interactor: RootInteractor, viewController: any RootViewControllable, homeBuilder: HomeBuilder) {
        self.homeBuilder = homeBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    override func didLoad() {
        super.didLoad()
        let home = homeBuilder.build(withListener: interactor)
        viewController.show(home.viewControllable)
        attachChild(home)
    }
}

/// What the root's router asks of its view controller.
@MainActor
protocol RootViewControllable: ViewControllable {
    /// Fills the screen with a child's view.
    func show(_ child: any ViewControllable)
}
