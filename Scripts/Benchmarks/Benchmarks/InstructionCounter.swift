import Foundation
import TestSupport

/// Counts instructions, which is exact and repeatable; the clock of a shared machine is neither.
///
/// The program runs itself under `valgrind --tool=callgrind` with a ``Workload``, once with few and once with many
/// iterations; the difference excludes the start of the process.
struct InstructionCounter {
    /// The path of valgrind, or `nil` if it is not installed.
    let valgrind = Programs.find("valgrind")

    /// Returns the instructions of one iteration of a workload.
    ///
    /// The number is rounded to whole instructions: the start of a process varies by some dozens between runs.
    ///
    /// - Returns: the number, or `nil` if valgrind is not installed.
    /// - Throws: ``Failure`` if valgrind runs without a result.
    func instructions(of workload: String, iterations: Int = 10_000) throws -> Double? {
        guard let valgrind else { return nil }
        let folder = try TemporaryDirectory("bench")
        let copy = folder.file("benchmarks")
        try strip(into: copy.path)
        let few = try count(valgrind, [], [copy.path, "--workload", workload, "--iterations", "\(iterations)"])
        let many = try count(valgrind, [], [copy.path, "--workload", workload, "--iterations", "\(iterations * 2)"])
        return (Double(many - few) / Double(iterations)).rounded()
    }

    /// Returns the instructions of one run of a workload inside a function.
    ///
    /// - Parameters:
    ///   - workload: the workload, run once.
    ///   - function: the name of the function in valgrind's output; * matches any characters.
    /// - Returns: the number, or `nil` if valgrind is not installed.
    /// - Throws: ``Failure`` if valgrind runs without a result.
    func instructions(ofOneRun workload: String, inside function: String) throws -> Double? {
        guard valgrind != nil else { return nil }
        let folder = try TemporaryDirectory("bench")
        let copy = folder.file("benchmarks").path
        try strip(into: copy)
        return try instructions(of: [copy, "--workload", workload], inside: function)
    }

    /// Returns the instructions of a command inside a function.
    ///
    /// - Parameters:
    ///   - command: the program's path and its arguments.
    ///   - function: the name of the function in valgrind's output; * matches any characters.
    /// - Returns: the number, or `nil` if valgrind is not installed.
    /// - Throws: ``Failure`` if valgrind runs without a result.
    func instructions(of command: [String], inside function: String) throws -> Double? {
        guard let valgrind else { return nil }
        return Double(try count(valgrind, ["--toggle-collect=\(function)"], command))
    }

    /// Copies this program without debug information, whose newest formats older versions of valgrind do not read.
    private func strip(into path: String) throws {
        guard let tool = Programs.find("llvm-objcopy") ?? Programs.find("objcopy") else {
            try FileManager.default.copyItem(atPath: try ownPath(), toPath: path)
            return
        }
        try Programs.run(tool, ["--strip-debug", try ownPath(), path])
    }

    private func count(_ valgrind: URL, _ options: [String], _ command: [String]) throws -> Int {
        let process = Process()
        let errors = Pipe()
        process.executableURL = valgrind
        process.arguments = ["--tool=callgrind", "--callgrind-out-file=/dev/null"] + options + command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let report = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        for line in report.split(separator: "\n") {
            guard let range = line.range(of: "Collected : ") else { continue }
            if let count = Int(line[range.upperBound...].filter(\.isNumber)) { return count }
        }
        throw Failure(workload: command.dropFirst().joined(separator: " "), report: report)
    }

    private func ownPath() throws -> String {
        #if os(Linux)
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #else
            return CommandLine.arguments[0]
        #endif
    }

    /// The error of a run of valgrind without a result.
    struct Failure: Error, CustomStringConvertible {
        var workload: String
        var report: String
        var description: String {
            "valgrind returned no instruction count for \(workload); its output:\n\(report)"
        }
    }
}
