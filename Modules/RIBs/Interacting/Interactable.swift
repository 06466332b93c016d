/// What a router needs of its interactor: to make it active and inactive.
@MainActor
public protocol Interactable: InteractorScope {
    /// Makes the interactor active. Called by the router that attaches it.
    func activate()

    /// Makes the interactor inactive. Called by the router that detaches it.
    func deactivate()
}
