import AccountCore
import AppUI
import CommandKit
import EssentialFoundation
import PictureFeature
import RIBs
import TerminalUI
import TextEscaping

/// The `screenshot` command: runs the full screen in memory, opens a screen, and writes it to a file.
@MainActor
struct ScreenshotCommand {
    /// How long a screen may take to load what it shows.
    static let timeLimit = Duration.seconds(60)
    /// How long a screen must be unchanged until it counts as loaded.
    static let calm = Duration.milliseconds(100)

    let services: AppServices
    let configuration: Configuration

    /// Writes the screen of `--screen` to the file of the operand.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let path = command.operands.first ?? ""
        let isDrawing = path.hasSuffix(".svg")
        guard isDrawing || path.hasSuffix(".txt") else {
            throw ScriptFailure(.usage, "\(path.quoted()) is not a valid file name; it must end in .svg or .txt")
        }
        let stage = command.value("screen").flatMap(ScreenStage.named) ?? .list
        let screen = try await screen(try command.size() ?? GridSize(width: 100, height: 30), stage)
        try UserFile.writeOutput(Array((isDrawing ? screen.svg() : screen.text + "\n").utf8), to: path)
        return ScriptResult(notices: ["the screen is in \(path.escapingControls(limit: 80))"])
    }

    /// Returns the screen of a stage once it has loaded what it shows.
    func screen(_ size: GridSize, _ stage: ScreenStage) async throws(ScriptFailure) -> ScreenBuffer {
        if stage.launch == .account, await services.account.session().profile == nil {
            throw ScriptFailure(
                .nothingMatched,
                "the screen \(stage.name) shows an account; sign in first, with `account login`"
            )
        }
        let account = StagedAccount(services.account, launch: stage.launch, version: services.version)
        let application = OffscreenApplication(
            root: ViewController(),
            size: size,
            depth: configuration.possibleColorDepth,
            theme: services.appearance.theme
        )
        application.application.window.resize(to: size)
        let room = application.application.window.bounds.size
        guard room == size else {
            throw ScriptFailure(
                .usage,
                "a screen of \(size.width)x\(size.height) is too large; with \(size.width) columns it has at most \(room.height) rows"
            )
        }
        let root = RootBuilder(dependency: services.staged(stage, account: account)).build { _ in }
        root.launch(in: ScreenWindow(application: application.application))
        defer { root.interactable.deactivate() }
        try await load(root, in: application) { stage.launch == .checkingVersion || Self.isShown(stage, in: root) }
        if !stage.keys.isEmpty {
            await application.type(stage.keys)
            try await load(root, in: application) { !stage.waitsForProvider || account.hasProviderResponded }
        }
        return application.buffer
    }

    /// Waits until a condition holds and nothing on the screen is loading. The time limits of the services end this sooner
    /// than the command's.
    private func load(
        _ root: any RootRouting,
        in application: OffscreenApplication,
        until condition: () -> Bool
    ) async throws(ScriptFailure) {
        let clock = ContinuousClock()
        let end = clock.now + Self.timeLimit
        var (text, since) = ("", clock.now)
        while clock.now < end {
            await application.settle()
            let isLoading = !condition() || Self.pictures(in: root).contains { !$0.hasSettled }
            if isLoading || application.buffer.text != text {
                (text, since) = (application.buffer.text, clock.now)
            } else if clock.now - since >= Self.calm {
                return
            }
            do {
                try await Task.sleep(for: .milliseconds(10))
            } catch {
                throw ScriptFailure(.interrupted, nil)
            }
        }
    }

    /// Whether the launch has led to a stage and its place is open.
    private static func isShown(_ stage: ScreenStage, in root: any RootRouting) -> Bool {
        guard let root = root as? any RootInternalRouting else { return false }
        switch stage.launch {
        case .checkingVersion, .outdated: return true
        case .tutorial: return root.children.contains { $0 is any ViewlessRouting }
        case .start, .nickname: guard root.loggedOut != nil else { return false }
        case .main, .account: guard root.home != nil else { return false }
        }
        var nodes = [root.snapshot]
        for name in stage.place { nodes = nodes.flatMap(\.children).filter { $0.id == name } }
        return !nodes.isEmpty
    }

    private static func pictures(in routing: any Routing) -> [any PictureRouting] {
        let found = routing as? any PictureRouting
        return (found.map { [$0] } ?? []) + routing.children.flatMap(pictures)
    }
}

extension AppCommand {
    /// Returns the value of `--size`; `nil` if the option is absent.
    func size() throws(ScriptFailure) -> GridSize? {
        guard let text = value("size") else { return nil }
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...1000).contains(columns),
            (1...1000).contains(rows)
        else {
            throw ScriptFailure(
                .usage,
                "invalid value for --size: \(text.quoted()); write COLUMNSxROWS, such as 60x20, each from 1 to 1000"
            )
        }
        return GridSize(width: columns, height: rows)
    }
}
