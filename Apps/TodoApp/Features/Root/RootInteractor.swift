import RIBs

/// The root: it ends the program when the user leaves.
@MainActor
final class RootInteractor: Interactor, HomeListener {
    private let quit: @MainActor () -> Void

    init(quit: @escaping @MainActor () -> Void) {
        self.quit = quit
    }

    func homeDidQuit() {
        quit()
    }
}
