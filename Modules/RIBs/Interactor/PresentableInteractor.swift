/// Marks an object through which an interactor displays its state.
@MainActor
public protocol Presentable: AnyObject {}

/// Converts the state of an interactor to what a view controller displays.
@MainActor
open class Presenter<ViewControllerType>: Presentable {
    /// The view controller, as the protocol that this presenter needs.
    public final let viewController: ViewControllerType

    /// Creates a presenter of a view controller.
    public init(viewController: ViewControllerType) {
        self.viewController = viewController
    }
}

/// An interactor that displays its state through a presenter.
@MainActor
open class PresentableInteractor<PresenterType>: Interactor {
    /// A presenter, or the view controller itself, as the protocol that this interactor needs.
    public final let presenter: PresenterType

    private let leakDetector: LeakDetector

    /// Creates an inactive interactor.
    ///
    /// - Parameters:
    ///   - presenter: displays the state.
    ///   - leakDetector: expects the presenter to be deallocated within a second of the interactor.
    public init(presenter: PresenterType, leakDetector: LeakDetector = .current) {
        self.presenter = presenter
        self.leakDetector = leakDetector
    }

    isolated deinit {
        leakDetector.expectDeallocation(
            of: presenter as AnyObject,
            within: LeakDetector.objectTime,
            because: "its interactor, \(type(of: self)), is deallocated"
        )
    }
}
