import Foundation
import SystemCalls
import TestSupport

/// The processor time and the memory of a program, counted for its whole process.
///
/// On Linux the peak memory of a new process begins with the resident memory of the process that started it. The program is
/// therefore started by a new process of `benchmarks` with the option ``option``, which uses little memory. Its own memory,
/// about 10 MB, is the lowest value that can be measured.
struct ProcessTime {
    /// The hidden option of `benchmarks`: `--measure PROGRAM ARGUMENT...`.
    static let option = "--measure"

    /// User and system time, in milliseconds.
    var milliseconds: Double
    /// The peak resident memory, in megabytes.
    var megabytes: Double

    /// Returns the medians over several runs of a program.
    static func median(_ program: String, _ arguments: [String], runs: Int) throws -> ProcessTime {
        let all = try (0..<runs).map { _ in try ProcessTime(running: program, arguments) }
        return ProcessTime(
            milliseconds: all.map(\.milliseconds).sorted()[runs / 2],
            megabytes: all.map(\.megabytes).sorted()[runs / 2]
        )
    }

    private init(milliseconds: Double, megabytes: Double) {
        self.milliseconds = milliseconds
        self.megabytes = megabytes
    }

    /// Runs a program, whose output is discarded.
    ///
    /// - Throws: ``ProgramFailed`` if it ends with an error, `POSIXError` if it cannot be started.
    init(running program: String, _ arguments: [String]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [Self.option, program] + arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard process.terminationStatus == 0, numbers.count == 3 else { throw POSIXError(.ECHILD) }
        guard numbers[0] == 0 else { throw ProgramFailed(program: program, status: Int32(numbers[0])) }
        (milliseconds, megabytes) = (numbers[1], numbers[2])
    }

    /// Runs a program in this process of `benchmarks`, and prints its wait status, its milliseconds and its megabytes.
    ///
    /// - Parameter words: the program and its arguments.
    /// - Throws: `POSIXError` if the program cannot be started.
    static func measure(_ words: [String]) throws {
        guard let program = words.first else { throw POSIXError(.EINVAL) }
        let process = try ChildProcess.spawn(
            program,
            Array(words.dropFirst()),
            environment: ProcessInfo.processInfo.environment,
            files: [0: "/dev/null", 1: "/dev/null", 2: "/dev/null"]
        )
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
        #if canImport(Darwin)
            let megabytes = Double(usage.ru_maxrss) / 1_048_576
        #else
            let megabytes = Double(usage.ru_maxrss) / 1_024
        #endif
        print(status, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), megabytes)
    }

    private static func milliseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
    }
}

/// A measured program that did not end well, so that its time means nothing.
struct ProgramFailed: Error, CustomStringConvertible {
    let program: String
    let status: Int32

    var description: String { "\(program) ended with status \(status)" }
}

/// The app Dog, which a build has put beside this program.
enum DogProgram {
    /// The path; `nil` if it is not built.
    static var path: String? {
        let path = Bundle.main.bundleURL.appendingPathComponent("Dog").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// The reason of rows without it.
    static let reason = "Dog is not built: swift build -c release --product Dog"
}
