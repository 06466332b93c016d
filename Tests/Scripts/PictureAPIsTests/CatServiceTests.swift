import Foundation
import PictureAPIs
import Pictures
import Testing

@Suite("The cat service")
struct CatServiceTests {
    let server: PictureAPIServer
    let client: Client

    init() throws {
        server = try PictureAPIServer()
        client = Client(base: server.baseURL)
    }

    @Test("A search returns one picture of the stated size")
    func search() async throws {
        let found = try await client.json([CatAnswer].self, "/v1/images/search")
        let image = try #require(found.first)
        #expect(found.count == 1 && image.breeds == nil)
        let file = try await client.get(at: image.url)
        let decoded = try PictureDecoder().decode(file.data)
        #expect(decoded.picture.size == PixelSize(width: image.width, height: image.height))
        #expect(file.headers["content-type"] == decoded.format.mediaType)
    }

    @Test("A limit above 10 needs a key")
    func limits() async throws {
        #expect(try await client.json([CatAnswer].self, "/v1/images/search?limit=7").count == 7)
        #expect(try await client.json([CatAnswer].self, "/v1/images/search?limit=25").count == 10)
        var known = client
        known.headers["x-api-key"] = "live_abc"
        #expect(try await known.json([CatAnswer].self, "/v1/images/search?limit=25").count == 25)
    }

    @Test("Pictures are chosen by breed, type and size")
    func filters() async throws {
        let bengals = try await client.json([CatAnswer].self, "/v1/images/search?limit=10&breed_ids=beng")
        #expect(!bengals.isEmpty && bengals.allSatisfy { $0.breeds?.first?.name == "Bengal" })
        let drawn = try await client.json([CatAnswer].self, "/v1/images/search?limit=10&mime_types=png")
        #expect(!drawn.isEmpty && drawn.allSatisfy { $0.url.hasSuffix(".png") })
        let small = try await client.json([CatAnswer].self, "/v1/images/search?limit=5&size=small")
        #expect(small.allSatisfy { max($0.width, $0.height) == 250 })
        let decoded = try PictureDecoder().decode(try await client.get(at: try #require(small.first).url).data)
        #expect(max(decoded.picture.width, decoded.picture.height) == 250)
        let bred = try await client.json([CatAnswer].self, "/v1/images/search?limit=10&has_breeds=1")
        #expect(bred.allSatisfy { $0.breeds?.isEmpty == false })
        #expect(try await client.json([CatAnswer].self, "/v1/images/search?breed_ids=none").isEmpty)
    }

    @Test("Breeds can be listed and searched")
    func breeds() async throws {
        let all = try await client.json([CatAnswer.Breed].self, "/v1/breeds")
        #expect(all.count >= 8)
        #expect(try await client.json([CatAnswer.Breed].self, "/v1/breeds/search?q=beN").map(\.id) == ["beng"])
        #expect(
            try await client.json([CatAnswer.Breed].self, "/v1/breeds?limit=3&page=1").map(\.id) == all[3..<6].map(\.id)
        )
    }

    @Test("Every response has the fields of the rate limit")
    func allowance() async throws {
        let first = try await client.get("/v1/breeds")
        let second = try await client.get("/v1/breeds")
        #expect(first.headers["ratelimit-limit"] == "120")
        let left = [first, second].compactMap { $0.headers["ratelimit-remaining"].flatMap { Int($0) } }
        #expect(left == [119, 118])
        #expect(first.headers["ratelimit-reset"] != nil)
    }

    @Test("An invalid key is an authentication error")
    func wrongKey() async throws {
        struct Failure: Decodable {
            var message: String
            var status: Int
            var level: String
        }
        var wrong = client
        wrong.headers["x-api-key"] = "guess"
        let answer = try await wrong.get("/v1/images/search")
        let failure = try JSONDecoder().decode(Failure.self, from: answer.data)
        #expect(answer.status == 401 && failure.status == 401 && failure.level == "info")
        #expect(failure.message.hasPrefix("AUTHENTICATION_ERROR"))
    }
}
