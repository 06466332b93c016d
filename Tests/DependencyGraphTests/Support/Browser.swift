import Foundation
import TestSupport

/// A headless Chromium that a test drives over the DevTools protocol, on the pipes of `--remote-debugging-pipe`.
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

    private let process = Process()
    private let profile: TemporaryDirectory
    private let input = Pipe()
    private let output = Pipe()
    private var session = ""
    private var last = 0
    private var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
    private var isClosed = false

    /// Starts a browser with one page of a size.
    init(width: Int = 1400, height: Int = 900) async throws {
        guard let program = Self.program else { throw Failure(description: "Chromium is not installed") }
        profile = try TemporaryDirectory("browser")
        process.executableURL = URL(filePath: "/bin/sh")
        // The browser reads commands from descriptor 3 and writes to descriptor 4.
        process.arguments = [
            "-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", program, "--headless=new", "--no-sandbox",
            "--remote-debugging-pipe", "--user-data-dir=\(profile.path)", "--no-first-run", "--disable-gpu",
            "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=\(width),\(height)", "about:blank",
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
        struct Target: Decodable { var targetId: String }
        struct Session: Decodable { var sessionId: String }
        let target = try decode(Target.self, await call("Target.createTarget", ["url": "about:blank"]))
        let attached = try decode(
            Session.self,
            await call("Target.attachToTarget", ["targetId": target.targetId, "flatten": true])
        )
        session = attached.sessionId
        _ = try await call("Page.enable", [:])
        _ = try await call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false]
        )
        _ = try await call(
            "Page.addScriptToEvaluateOnNewDocument",
            [
                "source": """
                window.pageErrors = [];
                addEventListener("error", event => pageErrors.push(event.message));
                addEventListener("securitypolicyviolation", event => pageErrors.push(event.blockedURI));
                """
            ]
        )
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    // MARK: - Pages

    /// Opens a file with a fragment and waits until it is loaded.
    func open(_ file: URL, fragment: String = "") async throws {
        _ = try await call("Page.navigate", ["url": "about:blank"])
        _ = try await call("Page.navigate", ["url": file.absoluteString + (fragment.isEmpty ? "" : "#" + fragment)])
        _ = try await evaluate(
            "new Promise(done => document.readyState === 'complete' ? done(true) : addEventListener('load', () => done(true)))",
            as: Bool.self
        )
        try await settle()
    }

    /// Waits until nothing moves and a frame is drawn.
    func settle() async throws {
        _ = try await evaluate(
            """
            (async () => {
              const frame = () => new Promise(requestAnimationFrame);
              await frame();
              await Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => {})));
              await frame();
              return true;
            })()
            """,
            as: Bool.self
        )
    }

    /// The response to Runtime.evaluate.
    private struct Response: Decodable {
        struct Result: Decodable { var value: String? }
        struct Details: Decodable {
            struct Exception: Decodable { var description: String? }
            var text: String
            var exception: Exception?
        }
        var result: Result
        var exceptionDetails: Details?
    }

    /// Evaluates an expression in the page and returns its value, or that of its promise.
    func evaluate<Value: Decodable & Sendable>(_ expression: String, as type: Value.Type) async throws -> Value {
        let text = "Promise.resolve(\(expression)).then(value => JSON.stringify([value]))"
        let response = try decode(
            Response.self,
            await call("Runtime.evaluate", ["expression": text, "awaitPromise": true, "returnByValue": true])
        )
        if let details = response.exceptionDetails {
            throw Failure(description: details.exception?.description ?? details.text)
        }
        guard let value = try decode([Value].self, Data((response.result.value ?? "").utf8)).first else {
            throw Failure(description: "no value of \(expression)")
        }
        return value
    }

    // MARK: - Input

    /// Presses and releases a key, such as "ArrowLeft" or "/".
    func press(_ key: String, shift: Bool = false) async throws {
        var event: [String: any Sendable] = ["type": "keyDown", "key": key, "modifiers": shift ? 8 : 0]
        if key.count == 1 { event["text"] = key }
        if key == "Enter" { event["text"] = "\r" }
        if let code = ["Enter": 13, "Escape": 27][key] { event["windowsVirtualKeyCode"] = code }
        _ = try await call("Input.dispatchKeyEvent", event)
        _ = try await call("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
        try await settle()
    }

    /// Types a text into the element that has the focus.
    func type(_ text: String) async throws {
        _ = try await call("Input.insertText", ["text": text])
        try await settle()
    }

    /// Clicks once, or several times.
    func click(_ x: Double, _ y: Double, count: Int = 1) async throws {
        for number in 1...count {
            try await mouse("mousePressed", x, y, count: number)
            try await mouse("mouseReleased", x, y, count: number)
        }
        try await settle()
    }

    /// Presses the button at a point, moves in steps and releases it.
    func drag(from start: (x: Double, y: Double), by distance: (x: Double, y: Double)) async throws {
        try await mouse("mousePressed", start.x, start.y)
        for step in 1...5 {
            let part = Double(step) / 5
            try await mouse("mouseMoved", start.x + distance.x * part, start.y + distance.y * part)
        }
        try await mouse("mouseReleased", start.x + distance.x, start.y + distance.y)
        try await settle()
    }

    /// Turns the wheel at a point.
    func wheel(_ x: Double, _ y: Double, by distance: Double) async throws {
        _ = try await call(
            "Input.dispatchMouseEvent",
            ["type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": distance]
        )
        try await settle()
    }

    /// Makes the system prefer light or dark colours.
    func prefer(scheme: String) async throws {
        let feature: [String: any Sendable] = ["name": "prefers-color-scheme", "value": scheme]
        _ = try await call("Emulation.setEmulatedMedia", ["features": [feature]])
        try await settle()
    }

    private func mouse(_ type: String, _ x: Double, _ y: Double, count: Int = 1) async throws {
        _ = try await call(
            "Input.dispatchMouseEvent",
            ["type": type, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": count]
        )
    }

    // MARK: - Protocol

    private func call(_ method: String, _ parameters: [String: any Sendable]) async throws -> Data {
        guard !isClosed else { throw Failure(description: "the browser has ended") }
        last += 1
        let number = last
        var message: [String: any Sendable] = ["id": number, "method": method, "params": parameters]
        if !session.isEmpty { message["sessionId"] = session }
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

    private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
