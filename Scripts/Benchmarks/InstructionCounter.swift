import Foundation

/// Counts instructions: exact and repeatable, where a clock on a shared machine is neither.
///
/// The program runs itself under `valgrind --tool=callgrind` with a ``Workload``, once with few and once with many
/// iterations; the difference leaves the start of the process out.
struct InstructionCounter {
    /// Where valgrind is installed; nil where it is not.
    let valgrind: String?

    init() {
        valgrind = Self.program("valgrind")
    }

    private static func program(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The instructions of one iteration of a workload.
    ///
    /// Rounded to whole instructions: the start of a process varies by some dozens from run to run.
    ///
    /// - Returns: nil where valgrind is not installed.
    /// - Throws: ``Failure`` when valgrind runs and gives no count.
    func instructions(of workload: String, iterations: Int = 10_000) throws -> Double? {
        guard let valgrind else { return nil }
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("pawkit-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try strip(into: copy.path)
        let few = try count(valgrind, [], [copy.path, "--workload", workload, "--iterations", "\(iterations)"])
        let many = try count(valgrind, [], [copy.path, "--workload", workload, "--iterations", "\(iterations * 2)"])
        return (Double(many - few) / Double(iterations)).rounded()
    }

    /// The instructions of one run of a workload, those inside a function alone.
    ///
    /// - Parameters:
    ///   - workload: the workload, run once.
    ///   - function: the function's name as valgrind shows it, with * for any characters.
    /// - Returns: nil where valgrind is not installed.
    /// - Throws: ``Failure`` when valgrind runs and gives no count.
    func instructions(ofOneRun workload: String, inside function: String) throws -> Double? {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("pawkit-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        guard valgrind != nil else { return nil }
        try strip(into: copy.path)
        return try instructions(of: [copy.path, "--workload", workload], inside: function)
    }

    /// The instructions that a command takes inside a function.
    ///
    /// - Parameters:
    ///   - command: the program's path and its arguments.
    ///   - function: the function's name as valgrind shows it, with * for any characters.
    /// - Returns: nil where valgrind is not installed.
    /// - Throws: ``Failure`` when valgrind runs and gives no count.
    func instructions(of command: [String], inside function: String) throws -> Double? {
        guard let valgrind else { return nil }
        return Double(try count(valgrind, ["--toggle-collect=\(function)"], command))
    }

    /// Copies this program without what debuggers read: older valgrinds give up on the newest forms of it.
    private func strip(into path: String) throws {
        guard let tool = Self.program("llvm-objcopy") ?? Self.program("objcopy") else {
            try FileManager.default.copyItem(atPath: try ownPath(), toPath: path)
            return
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = ["--strip-debug", try ownPath(), path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(workload: "every workload", report: "\(tool) ended with \(process.terminationStatus)")
        }
    }

    private func count(_ valgrind: String, _ options: [String], _ command: [String]) throws -> Int {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: valgrind)
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

    /// Valgrind ran and counted nothing.
    struct Failure: Error, CustomStringConvertible {
        var workload: String
        var report: String
        var description: String {
            "valgrind gave no instruction count for \(workload); its report was:\n\(report)"
        }
    }
}
