import Foundation

/// A page of the suite's browser, which is closed with the object.
final class BrowserPage: Sendable {
    private let browser: Browser
    private let target: String
    private let session: String

    /// Opens an empty page with a size.
    init(width: Int = 1400, height: Int = 900) async throws {
        struct Target: Decodable { var targetId: String }
        struct Session: Decodable { var sessionId: String }
        guard let browser = Browser.current else { throw Browser.Failure(description: "the suite has no browser") }
        self.browser = browser
        let created = try await browser.call("Target.createTarget", ["url": "about:blank"])
        target = try JSONDecoder().decode(Target.self, from: created).targetId
        let attached = try await browser.call("Target.attachToTarget", ["targetId": target, "flatten": true])
        session = try JSONDecoder().decode(Session.self, from: attached).sessionId
        try await call("Page.enable")
        try await call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false]
        )
        try await call(
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
        let (browser, target) = (browser, target)
        Task { try await browser.call("Target.closeTarget", ["targetId": target]) }
    }

    /// Opens a file with a fragment and waits until it is loaded.
    func open(_ file: URL, fragment: String = "") async throws {
        try await call("Page.navigate", ["url": "about:blank"])
        try await call("Page.navigate", ["url": file.absoluteString + (fragment.isEmpty ? "" : "#" + fragment)])
        try await run(
            "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))"
        )
        try await settle()
    }

    /// Waits until nothing moves and a frame is drawn.
    func settle() async throws {
        try await run(
            """
            (async () => {
              const frame = () => new Promise(requestAnimationFrame);
              await frame();
              await Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => {})));
              await frame();
            })()
            """
        )
    }

    // MARK: - Scripts

    /// Evaluates an expression for its effect, or waits for its promise.
    func run(_ expression: String) async throws {
        _ = try await evaluate("Promise.resolve(\(expression)).then(() => true)", as: Bool.self)
    }

    /// Evaluates an expression and returns its value, or that of its promise.
    func evaluate<Value: Decodable & Sendable>(
        _ expression: String,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        let text = "Promise.resolve(\(expression)).then(value => JSON.stringify([value]))"
        let response = try JSONDecoder().decode(
            Response.self,
            from: await call("Runtime.evaluate", ["expression": text, "awaitPromise": true, "returnByValue": true])
        )
        if let details = response.exceptionDetails {
            throw Browser.Failure(description: details.exception?.description ?? details.text)
        }
        guard let value = try JSONDecoder().decode([Value].self, from: Data((response.result.value ?? "").utf8)).first
        else { throw Browser.Failure(description: "no value of \(expression)") }
        return value
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

    // MARK: - Input

    /// Presses and releases keys, such as "ArrowLeft" or "/".
    func press(_ keys: String...) async throws {
        for key in keys {
            var event: [String: any Sendable] = ["type": "keyDown", "key": key]
            if key.count == 1 { event["text"] = key }
            if key == "Enter" { event["text"] = "\r" }
            if let code = ["Enter": 13, "Escape": 27][key] { event["windowsVirtualKeyCode"] = code }
            try await call("Input.dispatchKeyEvent", event)
            try await call("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
            try await settle()
        }
    }

    /// Types a text into the element that has the focus.
    func type(_ text: String) async throws {
        try await call("Input.insertText", ["text": text])
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
        let event: [String: any Sendable] = ["type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": distance]
        try await call("Input.dispatchMouseEvent", event)
        try await settle()
    }

    /// Makes the system prefer light or dark colours.
    func prefer(scheme: String) async throws {
        let feature: [String: any Sendable] = ["name": "prefers-color-scheme", "value": scheme]
        try await call("Emulation.setEmulatedMedia", ["features": [feature]])
        try await settle()
    }

    private func mouse(_ type: String, _ x: Double, _ y: Double, count: Int = 1) async throws {
        try await call(
            "Input.dispatchMouseEvent",
            ["type": type, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": count]
        )
    }

    @discardableResult
    private func call(_ method: String, _ parameters: [String: any Sendable] = [:]) async throws -> Data {
        try await browser.call(method, parameters, session: session)
    }
}
