import Foundation
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("The size of a terminal", .timeLimit(.minutes(2)))
struct TerminalSizeTests {
    @Test("A size of 65535 x 65535 is limited, and the program continues")
    func hugeSize() async throws {
        let pty = try await Probe.start("demo", until: "PRESS START", columns: 100, rows: 30)
        defer { pty.end() }
        pty.resize(columns: 65535, rows: 65535)
        try await eventually(within: .seconds(30)) { pty.text.components(separatedBy: "\u{1B}[2J").count > 2 }
        pty.type("끝")
        try await pty.waitForText("끝", within: .seconds(30))
        pty.type("\u{3}")
        #expect(try await pty.waitForExit(within: .seconds(30)) == 130)
    }

    @Test(
        "A window is limited in width and in cells",
        arguments: [(65535, 65535), (1, 2_000_000), (3_000_000, 1), (-5, 10)]
    )
    @MainActor
    func limits(_ width: Int, _ height: Int) {
        let window = Window()
        window.resize(to: GridSize(width: width, height: height))
        let size = window.render().buffer.size
        #expect(size.width <= 2000 && size.width * size.height <= 600_000)
        #expect(size.width == max(0, min(width, 2000)))
        #expect(width < 1 || size.height >= 1)
    }

    @Test("500 resizes are drawn at most once a frame, and the last size is drawn")
    func manyResizes() async throws {
        let pty = try await Probe.start("demo", until: "PRESS START", columns: 100, rows: 30)
        defer { pty.end() }
        let before = pty.output.count
        let start = ContinuousClock.now
        for number in 0..<500 {
            pty.resize(columns: 80 + number % 40, rows: 20 + number % 15)
            try await Task.sleep(for: .microseconds(500))
        }
        pty.resize(columns: 90, rows: 25)
        pty.type("끝")
        try await pty.waitForText("끝", within: .seconds(30))
        let elapsed = ContinuousClock.now - start
        let text = String(decoding: pty.output.dropFirst(before), as: UTF8.self)
        let frames = text.components(separatedBy: "\u{1B}[2J").count - 1
        // Each resize clears the screen; the first is drawn at once.
        let limit = Int(elapsed / InputReader.sizeInterval) + 2
        #expect(frames <= limit, "\(frames) frames in \(elapsed), \(text.utf8.count) bytes")
        var emulator = TerminalEmulator(size: GridSize(width: 90, height: 25))
        try await eventually {
            emulator = TerminalEmulator(size: GridSize(width: 90, height: 25))
            let output = String(decoding: pty.output, as: UTF8.self)
            let last = output.range(of: "\u{1B}[2J", options: .backwards)
            emulator.feed(output[(last?.lowerBound ?? output.startIndex)...].utf8)
            return emulator.screen.text.contains("끝") && (78...82).contains(emulator.screen.find("Settings")?.x ?? 0)
        }
        #expect(try await pty.waitForExit(typing: "\u{3}") == 130)
    }
}
