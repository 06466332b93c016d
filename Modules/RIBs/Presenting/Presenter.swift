/// Turns an interactor's state into what a view controller shows.
@MainActor
open class Presenter<ViewControllerType>: Presentable {
    /// The view controller, behind the protocol that this presenter needs.
    public final let viewController: ViewControllerType

    /// Creates a presenter of a view controller.
    public init(viewController: ViewControllerType) {
        self.viewController = viewController
    }
}
