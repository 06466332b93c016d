import Foundation
import LoopbackServer
import PictureAPIs
import Pictures
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

/// An app on its own terminal, with the screen that its bytes make.
///
/// The app ends with its screen: a test that needs it after the last use of the screen ends it in a `defer`.
final class AppScreen {
    let terminal: PseudoTerminal
    private var emulator: TerminalEmulator
    /// The number of bytes that the emulator has received. Reading all bytes at each look would starve other tests.
    private var fed = 0
    /// The terminal's settings before the app took it.
    let settings: [UInt]

    /// Starts the app.
    ///
    /// - Parameters:
    ///   - app: the app and its folder.
    ///   - columns: the width of the terminal.
    ///   - rows: the height of the terminal.
    ///   - arguments: the arguments besides `--no-animation`, and besides `--draw half` unless they contain `--draw`.
    ///   - environment: changes of the environment.
    ///   - isFirstStart: whether the app starts in an empty folder. Otherwise a returning guest starts it.
    /// - Throws: the error of the account or of the terminal.
    init(
        _ app: AppFixture,
        columns: Int,
        rows: Int,
        arguments: [String] = [],
        environment: [String: String?] = [:],
        isFirstStart: Bool = false
    ) async throws {
        if !isFirstStart { try await app.storeGuest() }
        emulator = TerminalEmulator(size: GridSize(width: columns, height: rows))
        terminal = try PseudoTerminal(
            app.executable,
            ["--no-animation"] + arguments + (arguments.contains("--draw") ? [] : ["--draw", "half"]),
            columns: columns,
            rows: rows,
            environment: app.environment.merging(environment) { $1 }
        )
        // Every new terminal has the same settings; this one's own may be changed already.
        settings = try PseudoTerminal(URL(fileURLWithPath: "/bin/true")).settings
    }

    /// Starts the app on a terminal and waits until the screen shows a text.
    convenience init(
        _ app: AppFixture,
        showing text: String,
        columns: Int = 100,
        rows: Int = 24,
        environment: [String: String?] = [:],
        isFirstStart: Bool = false
    ) async throws {
        try await self.init(
            app,
            columns: columns,
            rows: rows,
            environment: environment,
            isFirstStart: isFirstStart
        )
        try await wait(for: text)
    }

    deinit { terminal.end() }

    /// The screen as it is now.
    var now: TerminalEmulator {
        let output = terminal.output
        emulator.feed(output[fed...])
        fed = output.count
        return emulator
    }

    /// Changes the size of the window.
    func resize(columns: Int, rows: Int) {
        _ = now
        emulator.resize(GridSize(width: columns, height: rows))
        terminal.resize(columns: columns, rows: rows)
    }

    /// Types text, and waits until the screen shows another one.
    func type(_ text: String, waitingFor shown: String) async throws {
        terminal.type(text)
        try await wait(for: shown)
    }

    /// Waits until the screen shows a text.
    ///
    /// The screen is read after each piece of the output, so that a message is seen that was removed since, as on a busy machine.
    func wait(for text: String) async throws {
        // Many tests wait at the same time: without new output, the screen is read once.
        var checked = -1
        do {
            try await eventually(within: .seconds(20)) {
                let (output, ends) = terminal.pieces
                for end in ends.drop(while: { $0 <= fed }) {
                    emulator.feed(output[fed..<end])
                    fed = end
                    checked = end
                    if emulator.screen.text.contains(text) { return true }
                }
                guard checked != fed else { return false }
                checked = fed
                return emulator.screen.text.contains(text)
            }
        } catch {
            Issue.record("never saw \"\(text)\" on:\n\(now.screen.text)")
            throw error
        }
    }

    /// Waits until the picture on the screen has the colours of the one that the server named last.
    func waitForPicture(of app: AppFixture) async throws {
        try await eventually(within: .seconds(20)) {
            guard let path = app.server.requests.last?.path, let file = PictureAPIServer.file(at: path) else {
                return false
            }
            return meanDifference(from: file.picture) ?? 255 < 10
        }
    }

    /// How far the half-blocks on the screen are from a picture, of 255; `nil` before they are drawn.
    private func meanDifference(from picture: Picture) -> Double? {
        let screen = now.screen
        var rows: [[(Color, Color)]] = []
        for y in 0..<screen.size.height {
            let cells = screen.row(y).filter { $0.glyph.text == "▀" }.map { ($0.style.foreground, $0.style.background) }
            if !cells.isEmpty { rows.append(cells) }
        }
        guard let width = rows.first?.count, rows.allSatisfy({ $0.count == width }) else { return nil }
        let wanted = picture.scaled(to: PixelSize(width: width, height: rows.count * 2))
        var total = 0
        for (y, row) in rows.enumerated() {
            for (x, cell) in row.enumerated() {
                total += difference(cell.0, wanted[x, y * 2]) + difference(cell.1, wanted[x, y * 2 + 1])
            }
        }
        return Double(total) / Double(width * rows.count * 2)
    }

    private func difference(_ color: Color, _ wanted: PictureColor) -> Int {
        guard case .rgb(let red, let green, let blue) = color else { return 255 }
        return max(
            abs(Int(red) - Int(wanted.red)),
            abs(Int(green) - Int(wanted.green)),
            abs(Int(blue) - Int(wanted.blue))
        )
    }
}
