import Foundation
import LocalProvider
import LoopbackServer
import NetworkProvider
import Pictures
import TestSupport
import Testing

@testable import PictureCore

@Suite("Pictures over the network")
struct PictureNetworkTests {
    /// An API whose responses are plain texts.
    private struct PlainAPI: PictureAPI {
        let address = ""

        func randomPicture(
            of breed: String?,
            at address: String,
            through provider: NetworkProvider
        ) async throws(PictureFailure) -> PictureReference {
            PictureReference(url: address + "/picture.png", breed: breed)
        }

        func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed] {
            do {
                return try await provider.request(Breeds(base: address)).map { Breed(id: $0, name: $0) }
            } catch {
                throw .network(error)
            }
        }
    }

    private struct Breeds: PictureTarget {
        typealias Response = [String]
        let base: String
        let path = "/breeds"
    }

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("pictures") }

    private func service(_ server: LoopbackServer) -> PictureService {
        PictureService(
            api: PlainAPI(),
            address: server.baseURL,
            provider: .pictures(cacheFolder: folder.path + "/http-cache"),
            local: LocalProvider(location: FileStoreLocation(directory: folder.path)),
            bundled: []
        )
    }

    @Test(
        "The list of breeds and a picture come from the cache the second time, also in another process; a page is replaced"
    )
    func cached() async throws {
        let pages = Failures(2)
        let png = try PictureEncoder().png(Picture(width: 8, height: 8, filledWith: PictureColor(9, 8, 7)))
        let server = try LoopbackServer { request in
            let breeds = Data((pages.next() ? "<html>" : "[\"pug\", \"beagle\"]").utf8)
            return ServedResponse(
                headers: [("Cache-Control", "max-age=3600"), ("Content-Type", "application/octet-stream")],
                body: .data(request.path == "/breeds" ? breeds : Data(png))
            )
        }
        defer { server.stop() }
        await #expect(throws: PictureFailure.self) { try await service(server).breeds() }
        for _ in 0..<2 {
            let service = service(server)
            for _ in 0..<2 {
                #expect(try await service.breeds().map(\.id) == ["pug", "beagle"])
                #expect(try await Array(service.fetch(breed: nil).file) == png)
            }
        }
        #expect(server.requests.map(\.path) == ["/breeds", "/breeds", "/breeds", "/picture.png"])
    }

    @Test("A picture that is too large is downloaded once")
    func tooLarge() async throws {
        var jpeg = try PictureEncoder().jpeg(Picture(width: 16, height: 16, filledWith: PictureColor(9, 8, 7)))
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        // A size of 50,000 x 50,000 pixels.
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xC3, 0x50, 0xC3, 0x50])
        let server = try LoopbackServer { [jpeg] _ in ServedResponse(body: .data(Data(jpeg))) }
        defer { server.stop() }
        await #expect(throws: PictureFailure.self) { try await service(server).fetch(breed: nil) }
        #expect(server.requests.count == 1)
    }

    @Test("A request that fails with status 503 is retried, and the list is stale but present when the service is down")
    func retried() async throws {
        let failures = Failures(1)
        let server = try LoopbackServer { _ in
            failures.next()
                ? ServedResponse(status: 503)
                : ServedResponse(
                    headers: [("Cache-Control", "max-age=0"), ("ETag", "\"1\"")],
                    body: .data(Data("[\"pug\"]".utf8))
                )
        }
        defer { server.stop() }
        let service = service(server)
        #expect(try await service.breeds().map(\.id) == ["pug"])
        #expect(server.requests.count == 2)
        failures.set(.max)
        #expect(try await service.breeds().map(\.id) == ["pug"])
        #expect(server.requests.count == 5, "three attempts, then the stored response")
    }
}

/// Counts down the failures of a server.
final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(_ count: Int) { left = count }

    func set(_ count: Int) { lock.withLock { left = count } }

    func next() -> Bool {
        lock.withLock {
            defer { if left > 0 { left -= 1 } }
            return left > 0
        }
    }
}
