import Foundation
import HTTPTransport
import LoopbackServer

extension ConformanceCase {
    private static func mustBeCancelled(_ task: Task<some Sendable, any Error>) async throws {
        do {
            _ = try await task.value
            throw ConformanceFailure(description: "the cancelled task returned a response")
        } catch let error as HTTPTransportError {
            try expectEqual(error.code, .cancelled, "error of the cancelled task")
        }
    }

    private static let stalled: LoopbackServer.Handler = { _ in
        .failing(.stalled(after: 4), body: Data(count: 10))
    }

    @Sendable private static func releaseBody(_ setting: ConformanceSetting) async throws {
        do {
            let response = try await setting.transport.send(setting.request())
            try expectEqual(response.status, 200, "status")
        }
        try await setting.untilPeerClosed()
    }

    static let cancellation: [ConformanceCase] = [
        ConformanceCase("A request cancelled before it is sent does not reach the server") { setting in
            try await withThrowingTaskGroup { group in
                // More tasks than processors: some are interrupted between two steps of sending.
                for _ in 0..<400 {
                    group.addTask {
                        let task = Task<Data, any Error> {
                            withUnsafeCurrentTask { $0?.cancel() }
                            return try await setting.exchange(setting.request()).body
                        }
                        try await mustBeCancelled(task)
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(setting.server.requests.count, 0, "requests")
        },
        ConformanceCase(
            "Cancelling while waiting for the head closes the socket",
            serving: { _ in .failing(.noAnswer) }
        ) { setting in
            let task = Task { try await setting.exchange(setting.request()).body }
            try await setting.time(until: { setting.server.requests.count == 1 }, "the request arrived")
            task.cancel()
            try await mustBeCancelled(task)
            try await setting.untilPeerClosed()
        },
        ConformanceCase("Cancelling while the body is read closes the socket", serving: stalled) { setting in
            let task = Task<Int, any Error> {
                var count = 0
                for try await piece in try await setting.transport.send(setting.request()).body {
                    count += piece.count
                }
                return count
            }
            let hasSent = { setting.server.connections.first.map { $0.bytesSent > 40 } ?? false }
            try await setting.time(until: hasSent, "a part came")
            task.cancel()
            try await mustBeCancelled(task)
            try await setting.untilPeerClosed()
        },
        ConformanceCase("Cancelling while the body is collected closes the socket", serving: stalled) { setting in
            let response = try await setting.transport.send(setting.request())
            let task = Task<Data, any Error> { try await response.body.collect() }
            task.cancel()
            try await mustBeCancelled(task)
            try await setting.untilPeerClosed()
        },
        ConformanceCase("Releasing a body closes the socket", serving: stalled, check: releaseBody),
        ConformanceCase(
            "Releasing an endless body closes the socket",
            needs: [.promptCancellation],
            serving: { _ in .failing(.endlessBody) },
            check: releaseBody
        ),
        ConformanceCase("A reader that stops in the middle closes the socket", serving: stalled) { setting in
            for try await piece in try await setting.transport.send(setting.request()).body where !piece.isEmpty {
                break
            }
            try await setting.untilPeerClosed()
        },
        ConformanceCase(
            "A timeout in the reader's own task group ends a silent exchange",
            serving: { _ in .failing(.noAnswer) }
        ) { setting in
            // Only the cancellation can end it, however late that comes.
            var request = try setting.request()
            request.timeouts = HTTPTimeouts()
            let winner = await withTaskGroup(of: String.self) { [request] group in
                group.addTask {
                    do {
                        return "\(try await setting.exchange(request).head.status)"
                    } catch {
                        return "\((error as? HTTPTransportError)?.code == .cancelled)"
                    }
                }
                group.addTask {
                    try? await Task.sleep(for: .milliseconds(50))
                    return "timer"
                }
                let first = await group.next()
                group.cancelAll()
                let second = await group.next()
                return "\(first ?? "") \(second ?? "")"
            }
            try expectEqual(winner, "timer true", "order of ends")
        },
        ConformanceCase(
            "Cancellations at any moment neither hang nor leave a response behind",
            serving: { _ in .text("short") }
        ) { setting in
            for round in 0..<100 {
                let task = Task { try await setting.exchange(setting.request()).body }
                for _ in 0..<round % 50 { await Task.yield() }
                task.cancel()
                do {
                    try expectEqual(try await task.value, Data("short".utf8), "body")
                } catch let error as HTTPTransportError {
                    try expectEqual(error.code, .cancelled, "error")
                }
            }
            let (_, body) = try await setting.exchange(setting.request())
            try expectEqual(body, Data("short".utf8), "the transport still works")
        },
    ]
}
