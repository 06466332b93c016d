import Foundation
import TestSupport

/// The program of the tests on a terminal of the system.
enum Probe {
    static let url = ChildProcess.productsDirectory.appendingPathComponent("terminal-probe")

    /// Starts the probe on its own terminal, and waits until it has written a text. The arguments are a mode of
    /// `TerminalProbe` and its options; without a text it returns at once.
    static func start(
        _ arguments: String...,
        until text: String? = "READY",
        columns: Int = 80,
        rows: Int = 24,
        environment: [String: String?] = [:]
    ) async throws -> PseudoTerminal {
        let pty = try PseudoTerminal(url, arguments, columns: columns, rows: rows, environment: environment)
        guard let text else { return pty }
        do {
            try await pty.waitForText(text)
        } catch {
            pty.end()
            throw error
        }
        return pty
    }

    /// Starts a shell with job control on its own terminal. PROBE in its script is the path of the probe.
    static func shell(_ script: String, environment: [String: String?] = [:]) throws -> PseudoTerminal {
        let script = script.replacingOccurrences(of: "PROBE", with: url.path)
        return try PseudoTerminal(URL(fileURLWithPath: "/bin/bash"), ["-m", "-c", script], environment: environment)
    }

    /// The settings of a new terminal.
    static func newSettings() throws -> [UInt] { try PseudoTerminal(URL(fileURLWithPath: "/bin/true")).settings }
}
