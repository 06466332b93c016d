import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

/// The whole app on a terminal in memory, over fakes.
@MainActor
final class AppOnScreen {
    let services: FakeServices
    let root: any RootRouting
    let app: TestApplication
    private let leaving = Counter()

    /// How often the user has left.
    var quits: Int { leaving.count }

    /// Launches the app and waits until its first pictures stand.
    init(
        width: Int,
        height: Int,
        todos: [String] = [],
        pictures: FakePictureService = FakePictureService(.picture(.sample("Beagle"))),
        settings: Settings = Settings(),
        depth: ColorDepth = .trueColor,
        account: FakeAccount? = nil,
        language: AppLanguage = .english,
        waitsForTodos: Bool = true,
        screenState: RouterSnapshot? = nil,
        keyMap: KeyMap = .standard
    ) async throws {
        let expected = pictures.answers.count
        services = try FakeServices(
            todos: todos,
            pictures: pictures,
            settings: settings,
            account: account,
            language: language,
            keyMap: keyMap
        )
        services.screenStateFake.keep(screenState)
        root = RootBuilder(dependency: services).build { [leaving] _ in leaving.count += 1 }
        let window = HoldingWindow()
        root.launch(in: window)
        app = TestApplication(
            root: try #require(window.controller),
            size: Size(width: width, height: height),
            depth: depth,
            theme: services.appearance.theme
        )
        guard waitsForTodos else {
            await app.settle()
            return
        }
        try await wait { [services] in
            services.pictures.answers.count < max(1, expected)
                && (services.pictures.isWaiting || !$0.contains("is coming"))
                && ($0.contains(" open, ") || $0.contains("남은 일"))
        }
    }

    /// The settled screen as text.
    var text: String { app.text }

    /// A row of the screen, without the spaces at its end.
    func line(_ y: Int) -> String { app.screen.line(y) }

    /// Waits until the screen is as it should be.
    func wait(_ condition: (String) -> Bool) async throws {
        do {
            try await eventually {
                await app.settle()
                return condition(app.text)
            }
        } catch {
            Issue.record("never came; the screen is\n\(app.text)")
            throw error
        }
    }

    /// Waits until a text stands on the screen.
    func wait(for text: String) async throws {
        try await wait { $0.contains(text) }
    }

    /// Types keys one by one.
    func type(_ text: String) async { await app.type(text) }
}

/// Counts.
@MainActor
private final class Counter {
    var count = 0
}

/// A window that only remembers what it was given, and in which order.
@MainActor
final class HoldingWindow: RootWindow {
    private(set) var calls: [String] = []
    private(set) var controller: ViewController?

    func setRootViewController(_ viewController: any ViewControllable) {
        calls.append("root")
        controller = viewController as? ViewController
    }

    func makeVisible() { calls.append("visible") }
}
