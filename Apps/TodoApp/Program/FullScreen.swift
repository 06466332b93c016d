import AppUI
import RIBs
import TerminalUI

/// The full-screen app: a terminal, its window, and the tree of RIBs in it.
@MainActor
struct FullScreen {
    let configuration: Configuration
    let services: any RootDependency

    /// Runs until the user leaves; the terminal is given back whatever happens.
    func run() async throws(ScriptFailure) -> ScriptResult {
        let application = Application(
            terminal: Terminal(environment: environment),
            theme: services.appearance.theme,
            animations: configuration.isAnimated
        )
        let root = RootBuilder(dependency: services).build { [weak application] in application?.quit() }
        root.launch(in: ScreenWindow(application: application))
        do {
            let code = try await application.run()
            root.interactable.deactivate()
            return ScriptResult(exitCode: ExitCode(rawValue: code))
        } catch {
            throw ScriptFailure(.usage, "\(error)")
        }
    }

    /// The environment as `--color` wants it seen.
    private var environment: [String: String] {
        var environment = configuration.surroundings.environment
        switch configuration.colorDepth {
        case .none: environment["NO_COLOR"] = "1"
        case .trueColor: environment["COLORTERM"] = "truecolor"
        case .indexed256, .indexed16: break
        }
        return environment
    }
}

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
