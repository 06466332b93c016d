import Foundation
import TerminalTesting
import TerminalUI
import TestSupport
import TodoCore

/// The time from a key in the filter to the frame with the right todos, of the whole app on a pseudo-terminal.
struct FilterKeys {
    /// An order of the list, and its key in the menu of orders.
    typealias Order = (name: String, key: String)

    /// The orders of the menu.
    static let orders: [Order] = [
        ("urgency", "1"), ("due day", "2"), ("priority", "3"), ("project", "4"), ("context", "5"), ("title", "6"),
        ("newest", "7"), ("oldest", "8"), ("last changed", "9"),
    ]

    /// The times from each key to its frame in milliseconds, by the name of the order.
    private(set) var wallTimes: [String: [Double]] = [:]
    /// The processor times of all threads from each key to its frame in milliseconds, by the name of the order.
    private(set) var processorTimes: [String: [Double]] = [:]
    /// The peak memory of the app, in megabytes.
    private(set) var megabytes = 0.0

    /// Starts the app and types into the filter; `nil` without `/proc`.
    ///
    /// - Parameters:
    ///   - program: the path of the app.
    ///   - folder: the folder of its data.
    ///   - todos: all todos, among which those are counted that the right frame shows.
    ///   - orders: the orders in which the list is filtered.
    /// - Throws: ``NeverShown`` if a frame does not appear, and the error of the terminal.
    init?(_ program: String, _ folder: String, todos: [Todo], orders: [Order]) async throws {
        guard FileManager.default.fileExists(atPath: "/proc/self/task") else { return nil }
        let terminal = try PseudoTerminal(
            URL(fileURLWithPath: program),
            ["--data-dir", folder, "--image-api", "http://127.0.0.1:1", "--no-animation"],
            columns: 100,
            rows: 30,
            environment: ["LC_ALL": "C.UTF-8", "NO_COLOR": nil, "PAWKIT_BACKEND": nil]
        )
        defer { terminal.end() }
        var screen = Screen(terminal)
        for (text, key) in [("Todos, typed", "n"), ("A dog beside them", "n"), ("optional", "n"), ("PRESS START", "g")]
        {
            try await screen.wait(for: text)
            terminal.type(key)
        }
        try await screen.wait(for: " open, ")
        // The picture service is not reachable; its message is the last frame without a key.
        try await screen.wait(for: "offline")
        let clock = ContinuousClock()
        for order in orders {
            terminal.type("s")
            try await screen.wait(for: "Sort by")
            terminal.type(order.key)
            try await screen.wait(for: order.key == "1" ? " open, " : "by \(order.name)")
            terminal.type("/")
            try await screen.wait(for: "esc list")
            var text = ""
            for key in Array("987") + [nil, nil] + Array("12") {
                if let key { text.append(key) } else { text.removeLast() }
                let filter = TodoFilter(text: text)
                // The space before the number: the frame before may show a longer number with the same end.
                let wanted = " \(todos.count { filter.passes($0) }) found"
                usleep(300_000)
                screen.update()
                let before = AppBenchmark.processorTime(of: terminal.process) ?? 0
                let start = clock.now
                terminal.type(key.map(String.init) ?? "\u{7F}")
                try await screen.wait(for: wanted)
                let spent = start.duration(to: clock.now)
                processorTimes[order.name, default: []].append(
                    (AppBenchmark.processorTime(of: terminal.process) ?? 0) - before
                )
                wallTimes[order.name, default: []].append(
                    Double(spent.components.attoseconds) / 1e15 + Double(spent.components.seconds) * 1000
                )
            }
            // The filter goes, and the list has the focus.
            terminal.type("\u{1B}")
            try await screen.wait(for: " open, ")
        }
        megabytes = Self.peakMemory(of: terminal.process)
    }

    /// Returns the peak resident memory of a process in megabytes.
    private static func peakMemory(of process: pid_t) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { $0 / 1_024 }
            ?? 0
    }

    /// The screen that the bytes of a terminal make.
    private struct Screen {
        let terminal: PseudoTerminal
        private var emulator = TerminalEmulator(size: GridSize(width: 100, height: 30))
        private var processed = 0

        init(_ terminal: PseudoTerminal) { self.terminal = terminal }

        mutating func update() {
            let output = terminal.output
            guard output.count > processed else { return }
            emulator.feed(output[processed...])
            processed = output.count
        }

        /// Waits until the screen shows a text, for at most ten seconds.
        mutating func wait(for text: String) async throws {
            let end = ContinuousClock.now + .seconds(10)
            while true {
                update()
                if emulator.screen.find(text) != nil { return }
                guard ContinuousClock.now < end else { throw NeverShown(text: text, screen: emulator.screen.text) }
                usleep(200)
            }
        }
    }
}

/// A text that the app did not show in time.
struct NeverShown: Error, CustomStringConvertible {
    let text: String
    let screen: String

    var description: String { "\"\(text)\" did not appear; the screen is\n\(screen)" }
}
