import Foundation
import TestSupport

/// The solver kiwi, run by a driver.
struct KiwiPeer {
    private let driver = Peer.kiwi.build()

    /// The reason why there is no driver; empty if there is one.
    var reason: String { driver.reason }

    /// A row of the peer's microseconds over ours.
    func ratio(_ own: Double, _ other: Double?, _ name: String, target: Double? = nil) -> BenchmarkRow {
        BenchmarkRow(
            "layout",
            name,
            other.map { $0 / own },
            "x faster",
            atLeast: target,
            against: other.map { "kiwi \($0.brief) us, ours \(own.brief) us" } ?? "ours \(own.brief) us; \(reason)"
        )
    }

    /// Runs a program.
    ///
    /// - Returns: the microseconds of each phase, and the sum of all values at the end; `nil` without the driver.
    /// - Throws: the error of the file system or of the driver.
    func run(_ program: LayoutProgram) throws -> (times: [Double], sum: Double)? {
        guard let driver = driver.value else { return nil }
        return try withFile(program) { path in
            let output = String(decoding: try Programs.run(driver, [path]), as: UTF8.self)
            let numbers = output.split(separator: "\n").compactMap {
                $0.split(separator: " ").last.flatMap { Double($0) }
            }
            guard let sum = numbers.last, numbers.count == program.phases.count + 1 else {
                throw Peer.Missing(description: "the driver of kiwi printed \(output)")
            }
            return (Array(numbers.dropLast()), sum)
        }
    }

    /// Counts the instructions of one phase of a program.
    ///
    /// - Returns: the number, or `nil` without the driver or valgrind.
    /// - Throws: the error of the file system; ``InstructionCounter/Failure``.
    func instructions(_ program: LayoutProgram, phase: Int) throws -> Double? {
        guard let driver = driver.value else { return nil }
        return try withFile(program) { path in
            try InstructionCounter().instructions(of: [driver.path, path, String(phase)], inside: "counted_phase*")
        }
    }

    private func withFile<Result>(_ program: LayoutProgram, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("layout-\(UUID().uuidString).txt")
        try program.text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }
}
