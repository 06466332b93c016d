import Foundation

/// The solver kiwi, run by a driver that a script builds where it can.
struct KiwiPeer {
    private let driver: String?
    /// Why there is no driver.
    let reason: String

    init() {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = root.appendingPathComponent("LayoutPeers/build-kiwi")
        do {
            let (output, errors, status) = try KiwiPeer.run(script.path, [])
            driver = status == 0 ? output.split(separator: "\n").last.map(String.init) : nil
            reason = errors.split(separator: "\n").last.map(String.init) ?? "Scripts/LayoutPeers/build-kiwi failed"
        } catch {
            driver = nil
            reason = "\(error)"
        }
    }

    /// Runs a program.
    ///
    /// - Returns: the microseconds of each phase, and the sum of all values at the end; nil where there is no driver.
    /// - Throws: what the file system throws; ``Failure`` when the driver fails.
    func run(_ program: LayoutProgram) throws -> (times: [Double], sum: Double)? {
        guard let driver else { return nil }
        return try withFile(program) { path in
            let (output, errors, status) = try KiwiPeer.run(driver, [path])
            let numbers = output.split(separator: "\n").compactMap {
                $0.split(separator: " ").last.flatMap { Double($0) }
            }
            guard status == 0, let sum = numbers.last, numbers.count == program.phases.count + 1 else {
                throw Failure(report: errors)
            }
            return (Array(numbers.dropLast()), sum)
        }
    }

    /// Counts the instructions of one phase of a program.
    ///
    /// - Returns: nil where there is no driver or no valgrind.
    /// - Throws: what the file system throws; ``InstructionCounter/Failure``.
    func instructions(_ program: LayoutProgram, phase: Int) throws -> Double? {
        guard let driver else { return nil }
        return try withFile(program) { path in
            try InstructionCounter().instructions(of: [driver, path, String(phase)], inside: "counted_phase*")
        }
    }

    private func withFile<Result>(_ program: LayoutProgram, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("layout-\(UUID().uuidString).txt")
        try program.text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> (String, String, Int32) {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let problems = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, problems, process.terminationStatus)
    }

    /// The driver ran and gave no figures.
    struct Failure: Error, CustomStringConvertible {
        var report: String
        var description: String { "the driver of kiwi failed: \(report)" }
    }
}
