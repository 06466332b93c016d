import Foundation
import LoopbackServer
import NetworkTestSupport
import TestSupport
import Testing
import Threading

@testable import NetworkProvider

@Suite("Deduplication")
struct DedupTests {
    /// A server that responds when the test says so.
    private struct Gate {
        let isOpen = Locked(false)

        func wait() async {
            while !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) }
        }

        func open() { isOpen.withLock { $0 = true } }
    }

    @Test("1,000 concurrent equal GETs are one exchange; requests with two credentials are two")
    func sharesOne() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            await gate.wait()
            return .text("for \(request.header("Authorization") ?? "nobody")")
        }
        defer { server.stop() }
        let provider = NetworkProvider(deduplicates: true)
        let base = server.baseURL
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                let person: String? = number % 3 == 0 ? nil : number % 3 == 1 ? "Bearer a" : "Bearer b"
                group.addTask {
                    let headers: HTTPHeaders = person.map { ["Authorization": $0] } ?? [:]
                    let data = try await provider.request(Call<Data>(base: base, headers: headers))
                    #expect(String(decoding: data, as: UTF8.self) == "for \(person ?? "nobody")")
                }
            }
            try await eventually { server.requests.count == 3 && provider.state.sharedResponses.waiterCount == 1_000 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(server.requests.count == 3)
        // What comes later asks anew.
        _ = try await provider.request(Call<Data>(base: base))
        #expect(server.requests.count == 4)
    }

    @Test("A failure fails all waiting callers; a later caller starts another exchange")
    func sharesFailure() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            await gate.wait()
            return request.path == "/cut"
                ? ServedResponse(body: .repeated(1, count: 90_000), fault: .truncated(after: 50_000))
                : .failing(.closed)
        }
        defer { server.stop() }
        let provider = NetworkProvider(deduplicates: true)
        let base = server.baseURL
        for (path, code) in [("/lost", HTTPTransportError.Code.noResponse), ("/cut", .bodyTruncated)] {
            let before = server.requests.count
            gate.isOpen.withLock { $0 = false }
            let tasks = (0..<20).map { _ in Task { try await provider.request(Call<Data>(base: base, path: path)) } }
            try await eventually {
                server.requests.count == before + 1 && provider.state.sharedResponses.waiterCount == 20
            }
            gate.open()
            for task in tasks {
                let error = await #expect(throws: NetworkError.self) { try await task.value }
                #expect(error?.transportCode == code)
                #expect((error?.response == nil) == (path == "/lost"))
            }
            #expect(server.requests.count == before + 1)
            #expect(provider.state.sharedResponses.waiterCount == 0)
        }
    }

    @Test("A cancelled caller leaves the exchange to the others; when the last one has left, its socket is closed")
    func cancels() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            if request.path == "/answered" { await gate.wait() }
            return request.path == "/answered" ? .text("done") : .failing(.noAnswer)
        }
        defer { server.stop() }
        let provider = NetworkProvider(deduplicates: true)
        let base = server.baseURL
        func ask(_ path: String) -> [Task<Data, any Error>] {
            (0..<3).map { _ in Task { try await provider.request(Call<Data>(base: base, path: path)) } }
        }
        let answered = ask("/answered")
        try await eventually { server.requests.count == 1 && provider.state.sharedResponses.waiterCount == 3 }
        answered[0].cancel()
        let left = await #expect(throws: NetworkError.self) { try await answered[0].value }
        #expect(left?.isCancellation == true)
        gate.open()
        for task in answered[1...] { #expect(try await task.value == Data("done".utf8)) }

        let unanswered = ask("/unanswered")
        try await eventually { server.requests.count == 2 && provider.state.sharedResponses.waiterCount == 3 }
        for task in unanswered[..<2] { task.cancel() }
        for task in unanswered[..<2] { await #expect(throws: NetworkError.self) { try await task.value } }
        #expect(server.connections.allSatisfy { $0.peerClosed == nil })
        unanswered[2].cancel()
        await #expect(throws: NetworkError.self) { try await unanswered[2].value }
        try await eventually(within: .seconds(5)) { server.connections.contains { $0.peerClosed != nil } }
        // And a task that was cancelled before it began.
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await provider.request(Call<Data>(base: base, path: "/answered"))
        }
        late.cancel()
        let error = await #expect(throws: NetworkError.self) { try await late.value }
        #expect(error?.isCancellation == true)
        #expect(provider.state.sharedResponses.waiterCount == 0)
    }

    @Test("Different, unsafe, observed, streamed and excluded requests are not shared")
    func keepsApart() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            await gate.wait()
            return .text(request.method + (request.header("X") ?? ""))
        }
        defer { server.stop() }
        let provider = NetworkProvider(deduplicates: true)
        let base = server.baseURL
        let calls: [(Call<Data>, wire: Int)] = [
            (Call<Data>(base: base), 1), (Call<Data>(base: base, httpMethod: .head), 1),
            (Call<Data>(base: base, headers: ["X": "1"]), 1), (Call<Data>(base: base, path: "/other"), 1),
            (Call<Data>(base: base, httpMethod: .post), 4),
            (Call<Data>(base: base, path: "/out", deduplicates: false), 4),
        ]
        var expected = 0
        for (call, wire) in calls {
            gate.isOpen.withLock { $0 = false }
            let tasks = (0..<4).map { _ in Task { try await provider.request(call) } }
            expected += wire
            try await eventually {
                server.requests.count == expected && provider.state.sharedResponses.waiterCount == (wire == 1 ? 4 : 0)
            }
            gate.open()
            for task in tasks { _ = try await task.value }
            #expect(server.requests.count == expected, "\(call)")
        }
        let watched = (0..<4).map { _ in
            Task { try await provider.response(Call<Data>(base: base)) { _ in }.value }
        }
        for task in watched { _ = try await task.value }
        let streamed = (0..<4).map { _ in
            Task { try await provider.stream(Call<Data>(base: base)).body.collect() }
        }
        for task in streamed { _ = try await task.value }
        #expect(server.requests.count == expected + 8)
        // A target may opt in where the provider does not say so.
        gate.isOpen.withLock { $0 = false }
        let plain = NetworkProvider()
        let chosen = (0..<4).map { _ in Task { try await plain.request(Call<Data>(base: base, deduplicates: true)) } }
        try await eventually { plain.state.sharedResponses.waiterCount == 4 }
        gate.open()
        for task in chosen { _ = try await task.value }
        #expect(server.requests.count == expected + 9)
        // A response that is too large for one caller may be small enough for another.
        gate.isOpen.withLock { $0 = false }
        let limits = [0, 1].map { limit in
            Task { try await provider.request(Call<Data>(base: base, maximumBodyBytes: limit)) }
        }
        try await eventually { server.requests.count == expected + 11 }
        gate.open()
        #expect(try await limits[0].value == Data("GET".utf8))
        await #expect(throws: NetworkError.self) { try await limits[1].value }
    }

    @Test(
        "Requests with different credentials of a plugin are not shared, and those that are refused are not sent as another user"
    )
    func separatesPluginCredentials() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            await gate.wait()
            let shown = request.header("Authorization") ?? ""
            return shown == "Bearer old" ? .text("no", status: 401) : .text(shown)
        }
        defer { server.stop() }
        let refreshes = Locked(0)
        let authentication = AuthenticationPlugin(counting: refreshes, fresh: .bearer("new"))
        let provider = NetworkProvider(plugins: [authentication], deduplicates: true)
        let call = Call<Data>(base: server.baseURL)
        let first = (0..<10).map { _ in Task { try await provider.request(call) } }
        try await eventually { server.requests.count == 1 && provider.state.sharedResponses.waiterCount == 10 }
        authentication.setCredential(.bearer("somebody"))
        let second = (0..<10).map { _ in Task { try await provider.request(call) } }
        try await eventually { server.requests.count == 2 && provider.state.sharedResponses.waiterCount == 20 }
        gate.open()
        for task in second { #expect(try await task.value == Data("Bearer somebody".utf8)) }
        for task in first {
            let error = await #expect(throws: NetworkError.self) { try await task.value }
            guard case .plugin(AuthenticationError.credentialReplaced) = error?.reason else { throw UnexpectedResult() }
        }
        #expect(refreshes.withLock { $0 } == 0)
        #expect(server.requests.count == 2)
    }
}
