import Foundation
import TestSupport
import Testing

/// A headless Chromium that tests drive over the DevTools protocol, on the pipes of `--remote-debugging-pipe`.
///
/// The browser has a new profile in a temporary folder and ends with the object.
actor Browser {
    /// What went wrong in the browser or in a script.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The path of Chromium, or `nil` if it is not installed.
    static let program = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(Programs.find).first?.path

    /// Whether the tests run: where Chromium is missing they are skipped, but never in CI.
    static let isRequired = program != nil || ProcessInfo.processInfo.environment["CI"] != nil

    /// The browser of the suite that is running.
    @TaskLocal static var current: Browser?

    private let process = Process()
    private let profile: TemporaryDirectory
    private let input = Pipe()
    private let output = Pipe()
    private var last = 0
    private var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
    private var isClosed = false

    /// Starts a browser.
    init() throws {
        guard let program = Self.program else { throw Failure(description: "Chromium is not installed") }
        profile = try TemporaryDirectory("browser")
        process.executableURL = URL(filePath: "/bin/sh")
        // The browser reads commands from descriptor 3 and writes to descriptor 4.
        process.arguments = [
            "-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", program, "--headless=new", "--no-sandbox",
            "--remote-debugging-pipe", "--user-data-dir=\(profile.path)", "--no-first-run", "--disable-gpu",
            "--disable-dev-shm-usage", "--hide-scrollbars", "about:blank",
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let reading = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            var buffer = Data()
            while true {
                let data = reading.availableData
                if data.isEmpty { break }
                buffer += data
                while let end = buffer.firstIndex(of: 0) {
                    let message = Data(buffer[buffer.startIndex..<end])
                    buffer = Data(buffer[(end + 1)...])
                    Task { [weak self] in await self?.receive(message) }
                }
            }
            Task { [weak self] in await self?.close() }
        }
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    /// Calls a method of the protocol, on a page or on the browser itself.
    @discardableResult
    func call(_ method: String, _ parameters: [String: any Sendable] = [:], session: String? = nil) async throws -> Data
    {
        guard !isClosed else { throw Failure(description: "the browser has ended") }
        last += 1
        let number = last
        var message: [String: any Sendable] = ["id": number, "method": method, "params": parameters]
        message["sessionId"] = session
        let data = try JSONSerialization.data(withJSONObject: message) + [0]
        return try await withCheckedThrowingContinuation { continuation in
            waiting[number] = continuation
            do {
                try input.fileHandleForWriting.write(contentsOf: data)
            } catch {
                waiting.removeValue(forKey: number)?.resume(throwing: error)
            }
        }
    }

    private func receive(_ message: Data) {
        guard let object = try? JSONSerialization.jsonObject(with: message) as? [String: Any],
            let number = object["id"] as? Int, let continuation = waiting.removeValue(forKey: number)
        else { return }
        if let error = object["error"] as? [String: Any] {
            continuation.resume(throwing: Failure(description: "\(error["message"] ?? error)"))
        } else {
            let result = object["result"] as? [String: Any] ?? [:]
            continuation.resume(with: Swift.Result { try JSONSerialization.data(withJSONObject: result) })
        }
    }

    private func close() {
        isClosed = true
        for continuation in waiting.values {
            continuation.resume(throwing: Failure(description: "the browser has ended"))
        }
        waiting = [:]
    }
}

/// Starts one browser for all tests of a suite.
struct BrowserTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Browser.$current.withValue(try Browser(), operation: function)
    }
}

/// The tests in a browser, one after the other.
@Suite(
    .enabled(if: Browser.isRequired, "Chromium is not installed: apt-get install chromium"),
    .serialized,
    .timeLimit(.minutes(5)),
    BrowserTrait()
)
enum BrowserTests {}
