import RIBs
import TerminalUI

/// The application's window, as RIBs know windows.
@MainActor
final class ScreenWindow: RootWindow {
    private let application: Application

    init(application: Application) {
        self.application = application
    }

    func setRootViewController(_ viewController: any ViewControllable) {
        application.window.rootViewController = viewController as? ViewController
    }

    func makeVisible() {
        // The application shows its window when it runs.
    }
}
