import Foundation
import LocalProvider
import LoopbackServer
import NetworkProvider
import Pictures
import TestSupport
import Testing

@testable import PictureCore

@Suite("Favourites and the API key")
struct FavouritesTests {
    private let folder: TemporaryDirectory
    private let pug = PictureReference(url: "https://images.test/pug.jpg", breed: "Pug")
    private let beagle = PictureReference(url: "https://images.test/beagle.jpg", breed: nil)

    init() throws { folder = try TemporaryDirectory("favourites") }

    private func store() -> LocalFavourites {
        LocalFavourites(
            local: LocalProvider(location: FileStoreLocation(directory: folder.path)),
            now: { Date(timeIntervalSince1970: 1) }
        )
    }

    @Test("Favourites are stored in a property list, the newest first, each once, and found by another process")
    func stored() async throws {
        let store = store()
        #expect(try await store.favourites().isEmpty)
        #expect(try await store.add(pug))
        #expect(try await store.add(beagle))
        #expect(try await !store.add(pug))
        #expect(try await self.store().favourites().map(\.picture) == [beagle, pug])
        #expect(try await self.store().remove(url: pug.url))
        #expect(try await !self.store().remove(url: pug.url))
        #expect(try await store.favourites().map(\.picture) == [beagle])
    }

    @Test("A full list is an error that says what to do, and changes nothing")
    func full() async throws {
        let local = LocalProvider(location: FileStoreLocation(directory: folder.path))
        let many = (0..<LocalFavourites.limit).map {
            Favourite(picture: PictureReference(url: "https://images.test/\($0).jpg", breed: nil), added: Date())
        }
        try local.set(LocalKey("favourites", of: [Favourite].self, in: .propertyList), to: many)
        await #expect(throws: FavouriteError.full(limit: LocalFavourites.limit)) { try await store().add(pug) }
        #expect(try await !store().add(many[7].picture))
        #expect(FavouriteError.full(limit: 1000).description.contains("remove one first"))
        #expect(try await store().favourites().count == LocalFavourites.limit)
    }

    private struct Answer: PictureTarget {
        let base: String
        let path = "/"
    }

    @Test(
        "The API key is sent to the picture API as x-api-key, and to no other server; the User-Agent is the flavour's"
    )
    func apiKey() async throws {
        let api = try LoopbackServer { _ in ServedResponse(body: .data(Data("x".utf8))) }
        defer { api.stop() }
        let images = try LoopbackServer { _ in ServedResponse(body: .data(Data("x".utf8))) }
        defer { images.stop() }
        let key = try #require(APIKeyPlugin(key: "secret-key", address: api.baseURL))
        let provider = NetworkProvider.pictures(cacheFolder: nil, plugins: [PictureAgentPlugin("Dog/0.1.0"), key])
        _ = try await provider.request(Answer(base: api.baseURL))
        _ = try await provider.request(Answer(base: images.baseURL))
        #expect(api.requests.first?.header("x-api-key") == "secret-key")
        #expect(api.requests.first?.header("User-Agent") == "Dog/0.1.0")
        #expect(images.requests.first?.header("x-api-key") == nil)
        #expect(APIKeyPlugin(key: "", address: api.baseURL) == nil && APIKeyPlugin(key: nil, address: "") == nil)
    }

    @Test(
        "A picture without caching headers is fetched once, however often it is shown; a page or a part of it is replaced"
    )
    func once() async throws {
        var random = SeededGenerator(seed: 7)
        var picture = Picture(width: 40, height: 40, filledWith: .black)
        for y in 0..<40 { for x in 0..<40 { picture[x, y] = .init(.random(in: 0...255, using: &random), 0, 0) } }
        let png = try PictureEncoder().png(picture)
        let (page, part) = (Data("<html>sign in</html>".utf8), Data(png.prefix(png.count / 2)))
        let (pages, parts) = (Failures(2), Failures(2))
        let server = try LoopbackServer { _ in
            ServedResponse(body: .data(pages.next() ? page : parts.next() ? part : Data(png)))
        }
        defer { server.stop() }
        let reference = PictureReference(url: server.baseURL + "/pug.png", breed: "Pug")
        func service() -> PictureService {
            PictureService(
                api: NoAPI(),
                address: server.baseURL,
                provider: .pictures(cacheFolder: folder.path + "/http-cache"),
                local: LocalProvider(location: FileStoreLocation(directory: folder.path)),
                bundled: []
            )
        }
        await #expect(throws: PictureFailure.self) { try await service().fetch(reference) }
        #expect(server.requests.count == 2)
        // The page is in the cache, then a part, which is shown as long as there is no more.
        #expect(try await service().fetch(reference).file == part)
        #expect(try await service().fetch(reference).file == part)
        #expect(server.requests.count == 4)
        for _ in 0..<2 {
            let service = service()
            for _ in 0..<2 { #expect(try await Array(service.fetch(reference).file) == png) }
            #expect(await service.last().reference == reference)
        }
        #expect(server.requests.count == 5)
    }

    /// An API that is not requested.
    private struct NoAPI: PictureAPI {
        let address = ""

        func randomPicture(
            of breed: String?,
            at address: String,
            through provider: NetworkProvider
        ) async throws(PictureFailure) -> PictureReference {
            throw .noPicture("not requested")
        }

        func breeds(at address: String, through provider: NetworkProvider) async throws(PictureFailure) -> [Breed] {
            []
        }
    }
}
