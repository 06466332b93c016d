import AppUI
import CommandKit
import PictureFeature
import RIBs
import TerminalUI
import TextEscaping

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The `screenshot` command: runs the full screen in memory until the picture has arrived, and writes it to a file.
@MainActor
struct ScreenshotCommand {
    let services: any AppDependency
    let configuration: Configuration

    /// Writes the screen to the file of the operand.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let path = command.operands.first ?? ""
        let isDrawing = path.hasSuffix(".svg")
        guard isDrawing || path.hasSuffix(".txt") else {
            throw ScriptFailure(.usage, "\(path.quoted()) is not a valid file name; it must end in .svg or .txt")
        }
        let screen = try await screen(try command.size() ?? Size(width: 100, height: 30))
        do {
            let text = isDrawing ? screen.svg() : screen.text + "\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ScriptFailure(.data, "the screen cannot be written to \(path.escapingControls(limit: 80)): \(error)")
        }
        return ScriptResult(notices: ["the screen is in \(path.escapingControls(limit: 80))"])
    }

    private func screen(_ size: Size) async throws(ScriptFailure) -> ScreenBuffer {
        let application = OffscreenApplication(
            root: ViewController(),
            size: size,
            depth: configuration.possibleColorDepth,
            theme: services.appearance.theme
        )
        let root = RootBuilder(dependency: services).build { _ in }
        root.launch(in: ScreenWindow(application: application.application))
        await application.settle()
        // The main screen, whatever the launch would lead to.
        (root as? any RootInternalRouting)?.routeToHome()
        await application.settle()
        let picture = Self.picture(in: root)
        while picture?.hasSettled == false {
            // The time limits of the service end this loop.
            do {
                try await Task.sleep(for: .milliseconds(10))
            } catch {
                throw ScriptFailure(.interrupted, nil)
            }
        }
        await application.settle()
        let shown = application.buffer
        root.interactable.deactivate()
        return shown
    }

    private static func picture(in routing: any Routing) -> (any PictureRouting)? {
        if let found = routing as? any PictureRouting { return found }
        for child in routing.children {
            if let found = picture(in: child) { return found }
        }
        return nil
    }
}

extension AppCommand {
    /// Returns the value of `--size`; `nil` if the option is absent.
    func size() throws(ScriptFailure) -> Size? {
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
        return Size(width: columns, height: rows)
    }
}
