import CurlTransport
import HTTPTransport
import LoopbackServer

/// `lookup-probe`: sends requests while a name server does not respond, and prints a line `name milliseconds result` for
/// each step. With the argument `hang`, the process ends while a lookup still waits.
@main
@MainActor
struct LookupProbe {
    static func main() async throws {
        HangingResolver.limitProcess(seconds: 20)
        HangingResolver.begin()
        let server = try LoopbackServer { _ in .text("right") }
        let base = server.baseURL
        let transport = CurlTransport()
        _ = try await get(base, transport)
        await step("connect") {
            // Other exchanges on the transport's thread are not blocked.
            async let slow = failure("http://silent.invalid/", transport, connect: .milliseconds(300))
            try await untilWaiting(1)
            let others = try await slowest(50, base, transport)
            return "\(await slow) others \(others < .seconds(2))"
        }
        await step("cancel") {
            let task = Task { await failure("http://silent.invalid/", transport) }
            try await untilWaiting(2)
            task.cancel()
            let others = try await slowest(20, base, transport)
            return "\(await task.value) others \(others < .seconds(2))"
        }
        await step("deinit") {
            try await leave(base)
            return "gone"
        }
        await step("shutdown") {
            let task = Task { await failure("http://silent.invalid/", transport) }
            try await untilWaiting(4)
            transport.shutdown()
            let code = await task.value
            // The thread has ended when its connections are closed.
            while server.connections.contains(where: { $0.peerClosed == nil }) {
                try await Task.sleep(for: .milliseconds(2))
            }
            return code
        }
        await step("bound") {
            let (transport, before) = (CurlTransport(), HangingResolver.waiting)
            for _ in 0..<2 {
                // The lookups of cancelled requests have not ended, so that no further ones begin.
                let tasks = (0..<100).map { _ in Task { await failure("http://silent.invalid/", transport) } }
                try await untilWaiting(before + 16)
                for task in tasks { task.cancel() }
                for task in tasks { _ = await task.value }
                _ = try await slowest(5, base, transport)
            }
            return "\(HangingResolver.waiting - before) lookups of 200 requests"
        }
        if CommandLine.arguments.dropFirst() == ["hang"] { return }
        await step("end") {
            HangingResolver.releaseAll()
            while HangingResolver.waiting > 0 { try await Task.sleep(for: .milliseconds(2)) }
            return "all ended"
        }
        server.stop()
    }

    /// Releases a transport while a lookup waits.
    private static func leave(_ base: String) async throws {
        let transport = CurlTransport()
        _ = try await get(base, transport)
        let task = Task { await failure("http://silent.invalid/", transport) }
        try await untilWaiting(3)
        task.cancel()
        _ = await task.value
    }

    private static func get(_ url: String, _ transport: CurlTransport) async throws -> Int {
        try await transport.send(HTTPRequest(.get, url)).body.collect().count
    }

    /// Returns the duration of the slowest of some exchanges with a server without a host name.
    private static func slowest(_ count: Int, _ base: String, _ transport: CurlTransport) async throws -> Duration {
        var slowest = Duration.zero
        for _ in 0..<count {
            let start = ContinuousClock.now
            _ = try await get(base, transport)
            slowest = max(slowest, ContinuousClock.now - start)
        }
        return slowest
    }

    /// Returns the code of a request's error.
    private static func failure(
        _ url: String,
        _ transport: CurlTransport,
        connect: Duration = .seconds(60)
    ) async -> String {
        do {
            var request = try HTTPRequest(.get, url)
            request.timeouts.connect = connect
            return "status \(try await transport.send(request).status)"
        } catch {
            return "\(error.code)"
        }
    }

    private static func untilWaiting(_ count: Int) async throws {
        while HangingResolver.waiting < count { try await Task.sleep(for: .milliseconds(2)) }
    }

    private static func step(_ name: String, _ work: @MainActor () async throws -> String) async {
        let start = ContinuousClock.now
        defer { HangingResolver.flushOutput() }
        do {
            let result = try await work()
            print(name, (ContinuousClock.now - start) / .milliseconds(1), result)
        } catch {
            print(name, (ContinuousClock.now - start) / .milliseconds(1), "\(error)")
        }
    }
}
