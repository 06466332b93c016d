import AccountCore
import AppLanguage
import AppUI
import RIBs
import SyncFeature
import TerminalUI
import TodoSync

/// The full-screen app: a terminal, its window, and the tree of RIBs.
@MainActor
struct FullScreen {
    /// How long quitting waits for changes before it says so.
    private static let patience = Duration.milliseconds(300)
    /// How long quitting waits for a server to receive the last changes. Otherwise they are sent by the next start or `sync`.
    private static let syncLimit = Duration.seconds(2)

    let configuration: Configuration
    let services: AppServices
    let console: Console
    /// The place to open once the main screen is shown; `nil` for the place of the launch.
    var link: DeepLink?
    /// How pictures are drawn.
    var pictures = PictureChoice.auto
    /// Whether F12 shows the layout's frames, constraints and problems over the screen.
    var canInspect = false

    /// Runs until the user quits. The terminal is restored in every case.
    ///
    /// Quitting by a key, a signal or a closed terminal waits for the changes that are being saved.
    func run() async throws(ScriptFailure) -> ScriptResult {
        let application = Application(
            terminal: Terminal(environment: environment),
            theme: services.appearance.theme,
            animations: configuration.isAnimated
        )
        application.window.preferredGraphics = pictures.graphics
        application.window.preferredPictureStyle = pictures.style
        if canInspect { application.inspectionKey = Key(.function(12)) }
        let screens = launch(in: application)
        let code: Int32
        do {
            code = try await application.run()
        } catch {
            throw ScriptFailure(.terminal, "\(error)")
        }
        // The user was asked when quitting by a key. A signal or a closed terminal leaves no time for a question.
        let isSignal = code > 128 && code != ExitCode.interrupted.rawValue
        return await finish(screens.root, code: code, unsaved: isSignal ? screens.root.unsavedText : [])
    }

    /// Launches the tree of RIBs in an application, and again after a change of the language or the keys.
    func launch(in application: Application) -> LaunchedScreens {
        let screens = LaunchedScreens(root(in: application, services), link: link)
        services.pendingChanges.isEnding = { [weak application] in application?.endReason != nil }
        application.onKey = { [weak screens] key in
            guard let screens else { return false }
            if screens.root.showKeys(for: key) { return true }
            guard key == .control("c") else { return false }
            screens.root.requestQuit(code: ExitCode.interrupted.rawValue)
            return true
        }
        let settings = services.userSettings
        settings.apply = { [weak application, weak settings] preferences in
            guard let application, let settings else { return }
            application.window.baseTheme = settings.theme
            application.window.preferredGraphics = preferences.draw.graphics
            application.window.preferredPictureStyle = preferences.draw.style
        }
        let desktop = DesktopNotification(configuration.context.environment)
        settings.notify = { [weak application] title, text in
            application?.window.notify(title, text)
            desktop.send(title, text)
        }
        let environment = configuration.context.environment
        settings.openEditor = { [weak application] path in
            let editor = ChildProgram.editor(path, environment)
            return await application?.lendTerminal { editor.run(whenStopped: $0) } ?? 127
        }
        settings.restart = { [weak application, weak screens] in
            Task { if let application, let screens { await restart(screens, in: application) } }
        }
        screens.root.launch(in: ScreenWindow(application: application))
        openLink(of: screens)
        return screens
    }

    /// Opens the link on the present root, unless it was opened before: one that waits for the main screen is cancelled with its
    /// root.
    private func openLink(of screens: LaunchedScreens) {
        guard let link = screens.link else { return }
        let opening = screens.root.open(link)
        Task { [weak screens] in
            if case .failure(let error) = await opening.result, !(error is DeepLinkError) { return }
            screens?.link = nil
        }
    }

    private func root(
        in application: Application,
        _ services: AppServices,
        resuming branch: LaunchBranch? = nil
    ) -> any RootRouting {
        RootBuilder(dependency: services).build(resuming: branch) { [weak application] in application?.quit($0) }
    }

    /// Replaces the tree of RIBs by one with the present settings, which opens at the same place with the same drafts. The
    /// session stays, and no server is waited for.
    private func restart(_ screens: LaunchedScreens, in application: Application) async {
        if let place = screens.root.place { await services.screenState.save(place) }
        guard application.isRunning else { return }
        let branch = screens.root.branch
        screens.root.interactable.deactivate()
        var services = services
        services.appearance.theme = services.userSettings.theme
        // The option of the command line applies until another language is chosen.
        if services.userSettings.preferences.language != configuration.preferences.language {
            services.appearance.language = services.userSettings.language
        }
        services.keyMap = services.userSettings.keyMap
        let preferences = services.userSettings.preferences
        services.appearance.dates = preferences.dates
        services.listDefaults = (preferences.view, preferences.sort)
        (services.syncInterval, services.pictureInterval) = (preferences.syncPause, preferences.picturePause)
        screens.root = root(in: application, services, resuming: branch)
        screens.root.launch(in: ScreenWindow(application: application))
        openLink(of: screens)
    }

    /// Waits for changes, and stores or removes the place of the user.
    ///
    /// - Parameters:
    ///   - root: the tree of RIBs.
    ///   - code: the exit code of the application.
    ///   - text: typed text that is lost, and about which the user was not asked.
    /// - Returns: what could not be saved.
    func finish(_ root: any RootRouting, code: Int32, unsaved text: [String]) async -> ScriptResult {
        let unsaved = await finishChanges() + text.map { "typed: \($0)" }
        // A signal leaves no time for a server.
        if code == 0 || code == ExitCode.interrupted.rawValue { await sendChanges() }
        let place = root.place
        root.interactable.deactivate()
        // A place is restored after a kill or a signal, not after the user has quit. After a signal the current place is
        // stored: the one of a moment ago can contain a draft that has been saved since.
        if code == 0 || code == ExitCode.interrupted.rawValue {
            await services.screenState.remove()
        } else if let place {
            await services.screenState.save(place)
        }
        return ScriptResult(
            notices: unsaved.map { "not saved: \($0)" },
            exitCode: unsaved.isEmpty || code != 0 ? ExitCode(rawValue: code) : .data
        )
    }

    /// Waits for the changes under way, says so if it takes long, and returns those that could not be saved, with the reasons.
    private func finishChanges() async -> [String] {
        let (pending, console, title) = (services.pendingChanges, console, services.appearance.title)
        let report = Task {
            try await Task.sleep(for: Self.patience)
            let names = pending.underWay.joined(separator: ", ")
            if !names.isEmpty { console.note("\(title): saving: \(names); press Ctrl-C to stop waiting") }
        }
        defer { report.cancel() }
        return await pending.finish()
    }

    /// Sends the changes of the last seconds, after a sync under way, and says so if it takes long. A server that could not be
    /// reached before is not waited for.
    private func sendChanges() async {
        let (sync, console, appearance) = (services.sync, console, services.appearance)
        let sending = Task {
            for await state in await sync.states() where !state.isRunning {
                guard state.account != nil, case .waiting = await sync.refresh().summary else { return }
                _ = await sync.sync(.unasked)
                return
            }
        }
        let limit = Task {
            try await Task.sleep(for: Self.patience)
            console.note("\(appearance.title): \(SyncText.sending(appearance.language))")
            try await Task.sleep(for: Self.syncLimit - Self.patience)
            sending.cancel()
        }
        await sending.value
        limit.cancel()
    }

    /// The environment with the variables that express `--color`.
    private var environment: [String: String] {
        var environment = configuration.context.environment
        switch configuration.colorDepth {
        case .none: environment["NO_COLOR"] = "1"
        case .trueColor: environment["COLORTERM"] = "truecolor"
        case .indexed256, .indexed16: break
        }
        return environment
    }
}

/// The tree of RIBs of a running app, which another one replaces when the settings require it.
@MainActor
final class LaunchedScreens {
    /// The root of the present tree.
    fileprivate(set) var root: any RootRouting
    /// The place to open once the main screen is shown; `nil` after that.
    fileprivate(set) var link: DeepLink?

    fileprivate init(_ root: any RootRouting, link: DeepLink?) { (self.root, self.link) = (root, link) }
}

/// The application's window, as RIBs use windows.
@MainActor
final class ScreenWindow: RootWindow {
    private let application: Application

    init(application: Application) { self.application = application }

    func setRootViewController(_ viewController: any ViewControllable) {
        application.window.rootViewController = viewController as? ViewController
    }

    func makeVisible() {
        // The application shows its window when it runs.
    }
}
