public import Foundation

/// A program that a test needs is missing, or failed.
public struct ToolFailure: Error, CustomStringConvertible {
    /// Which one, and what it said.
    public let description: String

    init(description: String) { self.description = description }
}

/// Programs of the system that tests may use where they are installed.
public enum Programs {
    /// Where a program is; nil where it is not installed. The folders of system programs are looked into as well.
    public static func find(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
            .map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Runs a short program and gives what it wrote.
    /// - Throws: ``ToolFailure`` when it ends with anything but 0.
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
