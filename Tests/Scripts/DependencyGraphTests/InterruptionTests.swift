import Foundation
import TestSupport
import Testing

@Suite("A signal that ends the program")
struct InterruptionTests {
    /// A `swift` that records the signals, and ends after the program that has started it.
    private static let swift = """
        #!/bin/sh
        trap 'echo >"$RECORDS/signal"' HUP INT TERM
        echo >"$RECORDS/start"
        while kill -0 "$PPID" 2>/dev/null; do sleep 0.1; done
        """

    @Test(
        "The signal ends the program without its temporary folders, and reaches the programs that it runs",
        arguments: [SIGHUP, SIGINT, SIGTERM]
    )
    func removesFolders(signal: Int32) async throws {
        let folder = try TemporaryDirectory("interruption")
        try folder.write("// swift-tools-version: 6.0\n", to: "package/Package.swift")
        try folder.writeProgram(Self.swift, to: "bin/swift")
        for name in ["records", "temporary"] {
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
        }
        let present = ProcessInfo.processInfo.environment
        let variables = [
            "PATH": folder.file("bin").path + ":" + (present["PATH"] ?? ""),
            "RECORDS": folder.file("records").path, "TMPDIR": folder.file("temporary").path,
        ]
        let process = try ChildProcess.spawn(
            ChildProcess.productsDirectory.appendingPathComponent("dependency-graph").path,
            [folder.file("package").path],
            environment: present.merging(variables) { $1 },
            files: [STDOUT_FILENO: "/dev/null", STDERR_FILENO: "/dev/null"],
            leading: .processGroup
        )
        var isRunning = true
        defer { if isRunning { kill(-process, SIGKILL) } }
        func names(_ name: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.file(name).path).sorted()
        }
        try await eventually { try names("records") == ["start"] }
        #if os(Linux)
            // Apple's Foundation does not read TMPDIR.
            #expect(try names("temporary").isEmpty == false)
        #endif
        // As a terminal does at Ctrl-C.
        kill(-process, signal)
        var status: Int32 = 0
        try await eventually { waitpid(process, &status, WNOHANG) == process }
        isRunning = false
        #expect(status & 0x7F == signal)
        #expect(try names("temporary") == [])
        try await eventually { try names("records") == ["signal", "start"] }
    }
}
