import Foundation
import TestSupport
import Testing

/// The Python interpreter, where there is one.
enum Python {
    static let path: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (["/usr/bin", "/usr/local/bin"] + folders).map { $0 + "/python3" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Runs a script, which exits with 0 if its checks hold.
    static func run(_ script: String, _ arguments: [String] = []) async throws {
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: #require(path)),
            ["-c", script] + arguments,
            environment: ["PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"]
        )
        #expect(result.status == 0, "\(result.errors)")
    }
}
