import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing
import Threading

@testable import CurlTransport

@Suite("Uploads of files over CurlTransport", .timeLimit(.minutes(3)))
struct FileUploadTests {
    /// A file in a file system that stops responding at an offset, until the gate opens.
    private final class SlowFile: ReadableFile {
        let blockedFrom: Int64
        let gate = DispatchSemaphore(value: 0)
        private let file: RegularFile
        private let waiting = Locked(0)

        init(_ path: String, blockedFrom: Int64) throws {
            file = try RegularFile(path: path)
            self.blockedFrom = blockedFrom
        }

        var size: Int64 { file.size }
        /// The number of calls that wait.
        var blockedCalls: Int { waiting.withLock { $0 } }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(RegularFile.Failure) -> Int {
            if offset >= blockedFrom {
                waiting.withLock { $0 += 1 }
                // With the limit, a transport that reads on the loop's thread fails the test instead of stopping it.
                _ = gate.wait(timeout: .now() + 60)
                gate.signal()
                waiting.withLock { $0 -= 1 }
            }
            return try file.read(into: buffer, at: offset)
        }
    }

    private let folder: TemporaryDirectory
    private let bytes = Data((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    private var path: String { folder.file("upload").path }

    init() throws {
        folder = try TemporaryDirectory("uploads")
        try bytes.write(to: folder.file("upload"))
    }

    /// A transport for which `file` is the file at any path.
    private func transport(_ file: SlowFile) -> CurlTransport { CurlTransport { _ in file } }

    @Test("A file system that does not respond delays the upload of its file and no other exchange")
    func slowFile() async throws {
        let server = try LoopbackServer { .text("\($0.body.count)") }
        defer { server.stop() }
        let file = try SlowFile(path, blockedFrom: 65_536)
        let transport = transport(file)
        let request = try HTTPRequest(.put, server.baseURL, body: .file(path: path))
        let upload = Task { try await transport.send(request).body.collect() }
        try await eventually(within: .seconds(30)) { file.blockedCalls > 0 }
        for _ in 0..<20 { #expect(await transport.failure(try HTTPRequest(.get, server.baseURL)) == nil) }
        // The file system has not responded in the meantime, and the upload has not ended.
        #expect(file.blockedCalls == 1)
        #expect(server.requests.count == 20)
        file.gate.signal()
        #expect(String(decoding: try await upload.value, as: UTF8.self) == "\(bytes.count)")
        #expect(server.requests.last?.body == bytes)
    }

    @Test("An upload that waits for its file ends by the total timeout and by cancellation")
    func slowFileEnds() async throws {
        let server = try LoopbackServer { .text("\($0.body.count)") }
        defer { server.stop() }
        let file = try SlowFile(path, blockedFrom: 65_536)
        defer { file.gate.signal() }
        let transport = transport(file)
        var request = try HTTPRequest(.put, server.baseURL, body: .file(path: path))
        let upload = Task { [request] in await transport.failure(request) }
        try await eventually(within: .seconds(30)) { file.blockedCalls == 1 }
        upload.cancel()
        #expect(await upload.value?.code == .cancelled)
        // The time without a block is the client's, not the server's: the idle timeout does not expire.
        request.timeouts.idle = .milliseconds(100)
        request.timeouts.total = .seconds(2)
        #expect(await transport.failure(request)?.code == .timedOut(.total))
        #expect(server.requests.isEmpty)
    }

    @Test(
        "A file is sent whole, whatever its size and however slowly it is received",
        arguments: [0, 1, 65_535, 65_536, 65_537, 327_679, 327_680, 327_681, 1_000_003]
    )
    func sizes(_ size: Int) async throws {
        let server = try LoopbackServer { .text("\($0.body.count)") }
        defer { server.stop() }
        let part = folder.file("part-\(size)")
        try bytes.prefix(size).write(to: part)
        let request = try HTTPRequest(.put, server.baseURL, body: .file(path: part.path))
        #expect(await CurlTransport().failure(request) == nil)
        #expect(server.requests.first?.body == bytes.prefix(size))
    }

    @Test("A file that is sent again on a new connection is sent from its beginning")
    func rewinds() async throws {
        let count = Locked(0)
        let server = try LoopbackServer { request in
            // The first request opens the connection, the second one finds it broken.
            count.increment() == 2 ? .failing(.closed) : .text("\(request.body.count)")
        }
        defer { server.stop() }
        let transport = CurlTransport()
        #expect(await transport.failure(try HTTPRequest(.get, server.baseURL)) == nil)
        #expect(await transport.failure(try HTTPRequest(.put, server.baseURL, body: .file(path: path))) == nil)
        #expect(server.requests.map(\.body.count) == [0, bytes.count, bytes.count])
        #expect(server.requests.last?.body == bytes)
    }

    @Test("A file that becomes shorter or unreadable while it is sent fails the upload")
    func shrinks() async throws {
        let server = try LoopbackServer { .text("\($0.body.count)") }
        defer { server.stop() }
        for size in [0, 65_536, 200_000, 327_680] {
            try bytes.write(to: folder.file("upload"))
            let file = try SlowFile(path, blockedFrom: 65_536)
            let transport = transport(file)
            let request = try HTTPRequest(.put, server.baseURL, body: .file(path: path))
            let upload = Task { await transport.failure(request) }
            try await eventually(within: .seconds(30)) { file.blockedCalls == 1 }
            #expect(truncate(path, size) == 0)
            file.gate.signal()
            let error = await upload.value
            #expect(error?.code == .uploadFailed)
            #expect(error?.detail.contains("of \(bytes.count) bytes") == true, "\(String(describing: error))")
        }
        #expect(server.requests.isEmpty)
    }
}
