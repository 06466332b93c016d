public import Foundation

/// The error of a program that a test needs: it is missing, or failed.
public struct ToolFailure: Error, CustomStringConvertible {
    /// The program and its output.
    public let description: String
}

/// Programs of the system that tests use if they are installed.
public enum Programs {
    /// Returns the path of a program, or `nil` if it is not installed. The folders of system programs are searched, too.
    public static func find(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
            .map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Runs a short program and returns its output.
    /// - Throws: ``ToolFailure`` if its exit status is not 0.
    @discardableResult
    public static func run(_ program: URL, _ arguments: [String]) throws -> Data {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ToolFailure(description: "\(program.lastPathComponent) \(arguments.joined(separator: " ")): \(text)")
        }
        return data
    }
}
