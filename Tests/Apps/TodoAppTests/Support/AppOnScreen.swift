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

    /// Launches the app and waits for its first pictures.
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
        keyMap: KeyMap = .standard,
        userSettings: UserSettings = UserSettings(dataDirectory: "/data/dog")
    ) async throws {
        let expected = pictures.answers.count
        services = try FakeServices(
            todos: todos,
            pictures: pictures,
            settings: settings,
            account: account,
            language: language,
            keyMap: keyMap,
            userSettings: userSettings
        )
        services.screenStateFake.keep(screenState)
        root = RootBuilder(dependency: services.app).build { [leaving] _ in leaving.count += 1 }
        let window = HoldingWindow()
        root.launch(in: window)
        app = TestApplication(
            root: try #require(window.controller),
            size: GridSize(width: width, height: height),
            depth: depth,
            theme: services.app.appearance.theme
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

    /// Waits until the text of the screen satisfies a condition.
    func wait(_ condition: (String) -> Bool) async throws {
        try await app.wait(within: .seconds(60), until: condition)
    }

    /// Waits until a text is on the screen.
    func wait(for text: String) async throws { try await app.wait(for: text, within: .seconds(60)) }

    /// Types keys one by one.
    func type(_ text: String) async { await app.type(text) }

    /// Types keys one by one, and waits until a text is on the screen.
    func type(_ text: String, waitingFor shown: String) async throws {
        await type(text)
        try await wait(for: shown)
    }

    /// Presses keys, and waits until a text is on the screen.
    func press(_ codes: Key.Code..., waitingFor shown: String) async throws {
        for code in codes { await app.press(code) }
        try await wait(for: shown)
    }

    /// Clicks on a text, and waits until another one is on the screen.
    func click(on text: String, waitingFor shown: String) async throws {
        #expect(await app.click(on: text), "\(text) is not on\n\(app.text)")
        try await wait(for: shown)
    }
}

/// Counts.
@MainActor
private final class Counter {
    var count = 0
}

/// A window that records its calls in order.
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
