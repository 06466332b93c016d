import Foundation
import NeedleKit
import SystemCalls
import TerminalUI
import TestSupport

/// Measures frames: their bytes and processor time against ncurses, and the whole path from a key to the bytes.
struct TerminalBenchmark: Benchmark {
    let area = "terminal"
    let summary = "bytes and processor time of frames against ncurses; an application with lists at 200 x 50"
    let peers = [Peer.ncurses]

    func run() async throws -> [BenchmarkRow] {
        var rows: [BenchmarkRow] = []
        let peer = TerminalNcursesPeer()
        for screens in TerminalScreens.all { rows += try compare(screens, peer) }
        rows += try await listRows()
        rows.append(try await start())
        return rows
    }

    /// Measures the time from the start of the gallery to its first frame, on a pseudo-terminal of 100 x 30 cells.
    private func start() async throws -> BenchmarkRow {
        let name = "start to the first frame"
        let program = Bundle.main.bundleURL.appendingPathComponent("gallery")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            let reason = "gallery is not built: swift build -c release --product gallery"
            return row(name, nil, "ms", against: reason)
        }
        var times: [Double] = []
        for _ in 0..<9 {
            let begin = ContinuousClock.now
            let terminal = try PseudoTerminal(program, ["--no-animation"], columns: 100, rows: 30)
            try await terminal.waitForText("Gallery")
            times.append((ContinuousClock.now - begin).seconds * 1000)
            terminal.type("q")
            _ = try await terminal.waitForExit()
        }
        return row(name, median(times), "ms", atMost: 100, against: "the gallery, whole process")
    }

    // MARK: - Against ncurses

    private func compare(_ screens: TerminalScreens, _ peer: TerminalNcursesPeer) throws -> [BenchmarkRow] {
        let repetitions = 20
        // Both sides are measured in turn, and the medians are compared.
        var own: [(bytes: Double, time: Double)] = []
        var other: [(bytes: Double, time: Double)] = []
        for _ in 0..<7 {
            own.append(try draw(screens, repetitions))
            if let figures = try peer.draw(screens, repetitions) { other.append(figures) }
        }
        func compare(_ what: String, _ unit: String, _ own: Double, _ others: [Double]) -> BenchmarkRow {
            let name = "\(screens.name): \(what)"
            guard !others.isEmpty else { return row(name, own, unit, against: peer.reason) }
            let other = median(others)
            let against = "ncurses \(other.brief) \(unit) a frame, here \(own.brief)"
            return row(name, own / other, "x", atMost: 1, against: against)
        }
        return [
            compare("bytes", "bytes", median(own.map(\.bytes)), other.map(\.bytes)),
            compare("CPU", "µs", median(own.map(\.time)), other.map(\.time)),
        ]
    }

    /// Draws the screens to a file; returns the bytes and the microseconds of processor time of one frame.
    private func draw(_ screens: TerminalScreens, _ repetitions: Int) throws -> (bytes: Double, time: Double) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("frames-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let output = try FileHandle(forWritingTo: file)
        defer {
            try? output.close()
            try? FileManager.default.removeItem(at: file)
        }
        let descriptor = output.fileDescriptor
        var renderer = ScreenRenderer(depth: .indexed256)
        // As the peer does for its TERM, xterm-256color.
        renderer.repeats = true
        var total = 0
        func frame(_ runs: [TerminalScreens.Run]) {
            var buffer = ScreenBuffer(size: screens.size)
            for run in runs { buffer.put(run.text, x: run.column, y: run.row, style: run.style.style) }
            let bytes = renderer.render(buffer, caret: nil)
            total += bytes.count
            _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
        // As the peer: every frame is drawn once before the measurement, so that the first screen does not count.
        for runs in screens.frames { frame(runs) }
        total = 0
        let start = cpuSeconds()
        for _ in 0..<repetitions {
            for runs in screens.frames.dropFirst() { frame(runs) }
        }
        let count = Double(repetitions * (screens.frames.count - 1))
        return (Double(total) / count, (cpuSeconds() - start) * 1_000_000 / count)
    }
}

/// The program over ncurses.
struct TerminalNcursesPeer {
    private let program = Peer.ncurses.build()

    /// The reason why there is no program; empty if there is one.
    var reason: String { program.reason }

    /// Draws the screens; returns the bytes and the microseconds of processor time of one frame, `nil` without the program.
    func draw(_ screens: TerminalScreens, _ repetitions: Int) throws -> (bytes: Double, time: Double)? {
        guard let program = program.value else { return nil }
        let folder = try TemporaryDirectory("ncurses")
        let input = folder.file("screens")
        try Data(screens.text.utf8).write(to: input)
        let output = folder.file("output").path
        let result = try Programs.run(program, [input.path, output, String(repetitions)])
        let words = String(decoding: result, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let figures = words.compactMap { Double($0) }
        guard figures.count == 2 else { return nil }
        return (figures[0], figures[1])
    }
}

/// The processor time of an application's frames: a key, layout, drawing and the bytes.
extension TerminalBenchmark {
    @MainActor
    private func listRows() throws -> [BenchmarkRow] {
        [
            try row("a frame of a list that moves by a row", items: 1000, keys: [Key(.down)]),
            try row("a frame of a list of 100,000 rows that moves by a page", items: 100_000, keys: [Key(.pageDown)]),
            try row("a frame in which only the selection moves", items: 40, keys: [Key(.down), Key(.up)]),
        ]
    }

    @MainActor
    private func row(_ name: String, items: Int, keys: [Key]) throws -> BenchmarkRow {
        let list = ListView()
        let source = ListItems<Item>(list) { list, item in
            let cell = list.dequeue(TextCell.self)
            cell.mark = item.id % 3 == 0 ? "[x]" : "[ ]"
            cell.text = "우유 사기 and other things to do, number \(item.id * 7919 % 10_000)"
            cell.detail = "2026-11-\(10 + item.id % 20)"
            return cell
        }
        source.apply((0..<items).map(Item.init))
        let controller = ViewController()
        controller.view.addSubview(list)
        list.ndl.makeConstraints { $0.edges.equalTo(controller.view) }
        let window = Window()
        window.rootViewController = controller
        window.resize(to: GridSize(width: 200, height: 50))
        var renderer = ScreenRenderer(depth: .trueColor)
        renderer.repeats = true
        _ = renderer.render(window.render().buffer, caret: nil)
        // The list scrolls from here on.
        for _ in 0..<60 { window.dispatch(.key(keys[0])) }
        _ = renderer.render(window.render().buffer, caret: nil)
        let frames = 600
        var bytes = 0
        func draw() {
            for frame in 0..<frames {
                window.dispatch(.key(keys[frame % keys.count]))
                let next = window.render()
                bytes += renderer.render(next.buffer, caret: next.caret).count
            }
        }
        let times = try interleaved(rounds: 5, [draw])
        let against = "200 x 50 cells, \(bytes / (6 * frames)) bytes a frame"
        return row(name, times[0].cpu * 1000 / Double(frames), "ms of CPU", atMost: 1, against: against)
    }

    private struct Item: Identifiable {
        let id: Int
    }
}
