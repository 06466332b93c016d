import AppLanguage
import RIBs

/// What the workflow of a link uses of the root.
@MainActor
protocol RootActionable: InteractorScope {
    /// Waits until the main screen is shown: after the launch, the tutorial, a login or the choice of a guest.
    ///
    /// - Throws: `CancellationError` if the app ends before.
    func waitForHome() async throws -> (any HomeActionable, Void)

    /// Shows why the link cannot be opened.
    func linkDidFail(_ error: DeepLinkError)
}

/// What the workflow of a link uses of the main screen.
@MainActor
protocol HomeActionable: InteractorScope {
    /// Opens the place of a link.
    ///
    /// - Throws: ``DeepLinkError`` if it is not there.
    func open(_ link: DeepLink) async throws(DeepLinkError)
}

/// Leads from the launch to the place of a link. A link to what does not exist shows the main screen and says so.
@MainActor
final class OpenLinkWorkflow: Workflow<any RootActionable> {
    /// Creates the workflow of a link.
    init(_ link: DeepLink, root: any RootActionable) {
        super.init()
        onStep { root in try await root.waitForHome() }
            .onStep { home, _ in
                try await home.open(link)
                return (home, ())
            }
            .onError { [weak root] in
                if let error = $0 as? DeepLinkError { root?.linkDidFail(error) }
            }
            .commit()
    }
}
