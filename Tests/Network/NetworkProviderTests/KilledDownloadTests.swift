import Foundation
import LoopbackServer
import TestSupport
import Testing
import Threading

@Suite("Downloads that are killed")
struct KilledDownloadTests {
    private struct Failed: Error { let why: String }

    /// The state of a server's resource.
    private struct Version {
        var body: Data
        var tag: String
    }

    /// How a file was completed.
    private struct Story {
        var kills = 0
        /// The sizes of the partial file at the kills.
        var sizes: [Int] = []
    }

    private static func version(_ number: UInt64, count: Int) -> Version {
        var generator = SeededGenerator(seed: number)
        let words = (0..<count / 8).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
        return Version(body: words.withUnsafeBytes { Data($0) }, tag: "\"v\(number)\"")
    }

    /// The number of bytes of a response that are sent before the server stalls, while kills remain.
    private static let stretch = 100_000

    /// A server that supports Range and If-Range; no download reaches the end before the last kill.
    private func server(_ version: Locked<Version>, _ killsToCome: Locked<Int>) throws -> LoopbackServer {
        try LoopbackServer(immediateHandler: { request in
            let now = version.withLock { $0 }
            var response = ServedResponse(headers: [("ETag", now.tag)], body: .data(now.body))
            if let start = request.rangeStart, request.header("If-Range") == now.tag, start < now.body.count {
                response.becomeRest(of: now.body, from: start)
            }
            if killsToCome.withLock({ $0 }) > 0 { response.fault = .stalled(after: Self.stretch) }
            return response
        })
    }

    /// Starts a child and kills it at a random time, repeatedly; the last one completes the file.
    private func download(
        _ base: String,
        to path: String,
        _ killsToCome: Locked<Int>,
        onKill: @escaping @Sendable (Int) -> Void
    ) async throws -> Story {
        // On a separate thread: other tests occupy Swift's threads, and the kills would all come late.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try Self.killing(base, path, killsToCome, onKill) })
            }
        }
    }

    private static func killing(
        _ base: String,
        _ path: String,
        _ killsToCome: Locked<Int>,
        _ onKill: (Int) -> Void
    ) throws -> Story {
        func size() -> Int {
            (try? FileManager.default.attributesOfItem(atPath: path + ".partial")[.size] as? Int) ?? 0
        }
        var generator = SeededGenerator(seed: 5)
        var story = Story()
        let end = Date(timeIntervalSinceNow: 120)
        while Date() < end {
            let child = Process()
            child.executableURL = ChildProcess.productsDirectory.appendingPathComponent("download-child")
            child.arguments = [base, path]
            let before = size()
            try child.run()
            guard killsToCome.withLock({ $0 }) > 0 else {
                child.waitUntilExit()
                guard child.terminationReason == .exit, child.terminationStatus == 0 else {
                    throw Failed(why: "the last child ended with \(child.terminationStatus)")
                }
                return story
            }
            // Before anything has come, in the middle, or when no more comes. A file that has changed begins anew.
            let share = Int.random(in: 0...4, using: &generator) * stretch / 4
            while child.isRunning, size() < before + share, size() >= before || size() < share, Date() < end {
                usleep(200)
            }
            usleep(UInt32.random(in: 0...2_000, using: &generator))
            guard child.isRunning else { throw Failed(why: "a child ended before it was killed") }
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
            killsToCome.withLock { $0 -= 1 }
            story.kills += 1
            story.sizes.append(size())
            onKill(story.kills)
        }
        throw Failed(why: "no child came to its end in time")
    }

    private var kills: Int { isLongRun ? 200 : 20 }

    @Test("Killed by kill -9 repeatedly, a download continues each time, and the file is complete")
    func killed() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("film").path
        let version = Locked(KilledDownloadTests.version(1, count: Self.stretch * (kills + 2)))
        let killsToCome = Locked(kills)
        let body = version.withLock { $0.body }
        let server = try server(version, killsToCome)
        defer { server.stop() }
        let story = try await download(server.baseURL, to: path, killsToCome) { _ in }
        #expect(story.kills == kills)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == body)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film"])
        // Nothing that was there is asked for again, and nothing is lost by a kill.
        #expect(zip(story.sizes, story.sizes.dropFirst()).allSatisfy { $0 <= $1 })
        let starts = server.requests.compactMap(\.rangeStart)
        #expect(starts.count >= 1 && starts == starts.sorted())
        #expect(Set(starts).isSubset(of: Set(story.sizes)))
    }

    @Test("A resource that changes between kills is never joined from two versions")
    func changed() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("film").path
        let count = 600_000
        let version = Locked(KilledDownloadTests.version(1, count: count))
        let killsToCome = Locked(kills)
        let server = try server(version, killsToCome)
        defer { server.stop() }
        let story = try await download(server.baseURL, to: path, killsToCome) { kill in
            guard kill % 3 == 0 else { return }
            version.withLock { $0 = KilledDownloadTests.version(UInt64(kill), count: count) }
        }
        let found = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(found == version.withLock { $0.body })
        #expect(story.kills == kills)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film"])
        #expect(Set(server.requests.compactMap { $0.header("If-Range") }).count >= 2)
    }
}
