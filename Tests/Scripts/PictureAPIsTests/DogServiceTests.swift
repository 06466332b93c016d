import Foundation
import PictureAPIs
import Pictures
import Testing

@Suite("The dog service")
struct DogServiceTests {
    let server: PictureAPIServer
    let client: Client

    init() throws {
        server = try PictureAPIServer()
        client = Client(base: server.baseURL)
    }

    @Test("The URL of a random picture is a JPEG with the drawn pixels")
    func randomPicture() async throws {
        let answer = try await client.json(DogEnvelope<String>.self, "/api/breeds/image/random")
        #expect(answer.status == "success" && answer.code == nil)
        let file = try await client.get(at: answer.message)
        #expect(file.status == 200 && file.headers["content-type"] == "image/jpeg")
        let decoded = try PictureDecoder().decode(file.data)
        let path = try #require(URL(string: answer.message)?.path)
        let original = try #require(PictureAPIServer.file(at: path))
        #expect(decoded.picture.size == original.size && decoded.warnings.isEmpty)
        let (right, bottom) = (original.size.width - 1, original.size.height - 1)
        let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)]
        for (corner, color) in zip(corners, original.portrait.corners) {
            let shown = decoded.picture[corner.0, corner.1]
            #expect(abs(Int(shown.red) - Int(color.red)) <= 6)
            #expect(abs(Int(shown.green) - Int(color.green)) <= 6)
            #expect(abs(Int(shown.blue) - Int(color.blue)) <= 6)
        }
    }

    @Test("Several pictures are an array of at most 50")
    func many() async throws {
        for (asked, given) in [("3", 3), ("50", 50), ("51", 50), ("0", 1)] {
            let answer = try await client.json(DogEnvelope<[String]>.self, "/api/breeds/image/random/\(asked)")
            #expect(answer.message.count == given)
            #expect(answer.message.allSatisfy { $0.hasPrefix(server.baseURL + "/breeds/") })
        }
        #expect(try await client.get("/api/breeds/image/random/three").status == 404)
    }

    @Test("Breeds are an object, sub-breeds an array")
    func breeds() async throws {
        let all = try await client.json(DogEnvelope<[String: [String]]>.self, "/api/breeds/list/all").message
        #expect(all["bulldog"] == ["boston", "english", "french"])
        #expect(all["affenpinscher"] == [])
        let subs = try await client.json(DogEnvelope<[String]>.self, "/api/breed/bulldog/list").message
        #expect(subs == all["bulldog"])
    }

    @Test("A picture of a breed is of that breed")
    func byBreed() async throws {
        let breed = try await client.json(DogEnvelope<String>.self, "/api/breed/hound/images/random")
        #expect(breed.message.contains("/breeds/hound-"))
        let sub = try await client.json(DogEnvelope<String>.self, "/api/breed/hound/afghan/images/random")
        #expect(sub.message.contains("/breeds/hound-afghan/"))
        let some = try await client.json(DogEnvelope<[String]>.self, "/api/breed/pug/images/random/2")
        #expect(some.message.count == 2 && some.message.allSatisfy { $0.contains("/breeds/pug/") })
    }

    @Test(
        "What is not there is an error with a status, a message and a code",
        arguments: [
            "/api/breed/unicorn/images/random", "/api/breed/hound/unicorn/images/random", "/api/breeds/nothing",
            "/api/breed/Hound/list",
        ]
    )
    func errors(path: String) async throws {
        let answer = try await client.get(path)
        #expect(answer.status == 404)
        let failure = try JSONDecoder().decode(DogEnvelope<String>.self, from: answer.data)
        #expect(failure.status == "error" && failure.code == 404 && !failure.message.isEmpty)
    }

    @Test("A client without a User-Agent is refused")
    func noUserAgent() async throws {
        var nameless = client
        nameless.headers["User-Agent"] = ""
        let answer = try await nameless.get("/api/breeds/image/random")
        #expect(answer.status == 403)
    }

    @Test(
        "A picture that is not there is 404, whatever its path",
        arguments: [
            "/breeds/pug/none.jpg", "/breeds/../etc/passwd.jpg", "/images/none.jpg", "/nowhere", "/",
        ]
    )
    func missingPictures(path: String) async throws {
        #expect(try await client.get(path).status == 404)
    }

    @Test("The same seed results in the same pictures in the same order")
    func seeded() async throws {
        let again = try PictureAPIServer()
        let other = try PictureAPIServer(seed: 2)
        var paths: [[String]] = []
        for server in [server, again, other] {
            let answer = try await Client(base: server.baseURL)
                .json(DogEnvelope<[String]>.self, "/api/breeds/image/random/20")
            paths.append(answer.message.map { String($0.dropFirst(server.baseURL.count)) })
        }
        #expect(paths[0] == paths[1] && paths[0] != paths[2])
    }
}
