/// An interactor that shows its state through a presenter.
@MainActor
open class PresentableInteractor<PresenterType>: Interactor {
    /// What shows the interactor's state: a presenter or the view controller itself, behind a protocol.
    public final let presenter: PresenterType

    private let leakDetector: LeakDetector

    /// Creates an inactive interactor.
    ///
    /// - Parameters:
    ///   - presenter: What shows its state.
    ///   - leakDetector: Told to expect the presenter to go, within a second of the interactor.
    public init(presenter: PresenterType, leakDetector: LeakDetector = .current) {
        self.presenter = presenter
        self.leakDetector = leakDetector
    }

    isolated deinit {
        leakDetector.expectDeallocation(
            of: presenter as AnyObject,
            within: LeakDetector.objectTime,
            because: "its interactor, \(type(of: self)), is gone"
        )
    }
}
