public import Foundation

/// The exit status and the output of a child process.
public struct ChildResult: Sendable {
    /// The exit status, or the number of the signal that ended the process.
    public let status: Int32
    /// Whether a signal ended the process.
    public let wasSignalled: Bool
    /// The bytes of standard output.
    public let standardOutput: Data
    /// The bytes of standard error.
    public let standardError: Data

    /// Standard output as text.
    public var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text.
    public var errors: String { String(decoding: standardError, as: UTF8.self) }
}

/// Runs programs for end-to-end tests.
public enum ChildProcess {
    /// The folder of the executables that were built with the tests.
    public static var productsDirectory: URL {
        #if os(macOS)
            for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                return bundle.bundleURL.deletingLastPathComponent()
            }
        #endif
        return Bundle.main.bundleURL
    }

    /// Runs a program and waits for its end without blocking a cooperative thread.
    ///
    /// - Parameters:
    ///   - executable: the URL of the program.
    ///   - arguments: the arguments without the program's name.
    ///   - environment: variables that are set in addition to the present ones; a `nil` value removes one.
    ///   - input: the bytes of standard input.
    ///   - directory: the working folder; the present one by default.
    /// - Returns: the exit status and the output.
    /// - Throws: the error of `Process` if the program cannot be started.
    public static func run(
        _ executable: URL,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        input: Data = Data(),
        in directory: URL? = nil
    ) async throws -> ChildResult {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try runBlocking(executable, arguments, environment: environment, input: input, in: directory)
                    }
                )
            }
        }
    }

    private static func runBlocking(
        _ executable: URL,
        _ arguments: [String],
        environment: [String: String?],
        input: Data,
        in directory: URL?
    ) throws -> ChildResult {
        // Files, not pipes: nothing can block however much the program writes or however little it reads.
        let folder = try TemporaryDirectory("child")
        let (inputURL, outputURL, errorURL) = (folder.file("in"), folder.file("out"), folder.file("err"))
        try input.write(to: inputURL)
        try Data().write(to: outputURL)
        try Data().write(to: errorURL)

        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value }
        process.environment = variables
        if let directory { process.currentDirectoryURL = directory }
        process.standardInput = try FileHandle(forReadingFrom: inputURL)
        process.standardOutput = try FileHandle(forWritingTo: outputURL)
        process.standardError = try FileHandle(forWritingTo: errorURL)
        try process.run()
        process.waitUntilExit()
        return ChildResult(
            status: process.terminationStatus,
            wasSignalled: process.terminationReason == .uncaughtSignal,
            standardOutput: try Data(contentsOf: outputURL),
            standardError: try Data(contentsOf: errorURL)
        )
    }
}
