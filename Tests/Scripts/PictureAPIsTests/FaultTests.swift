import Foundation
import LoopbackServer
import PictureAPIs
import Pictures
import Testing

@Suite("Faults of the services")
struct FaultTests {
    @Test("A rule is parsed from its description, and other text is refused")
    func rules() {
        for fault in PictureFault.allCases {
            for scope in FaultRule.Scope.allCases {
                let rule = FaultRule(fault, in: scope)
                #expect(FaultRule(rule.description) == rule)
            }
        }
        for text in ["", "picture", "picture-", "nope", "api-nope", "HTML"] { #expect(FaultRule(text) == nil) }
    }

    @Test("A fault in the query is applied to the response")
    func byQuery() async throws {
        let server = try PictureAPIServer()
        let client = Client(base: server.baseURL)
        let path = "/api/breeds/image/random"
        #expect(try await client.get(path + "?fault=html").text.hasPrefix("<!DOCTYPE html>"))
        #expect(try await client.get(path + "?fault=404").status == 404)
        #expect(try await client.get(path + "?fault=500").status == 500)
        #expect(try await client.get(path + "?fault=429").headers["retry-after"] == "1")
        #expect(try await client.get(path + "?fault=empty").data.isEmpty)
        #expect(try await client.get(path + "?fault=json").text == "{\"unexpected\":true}")
        #expect(try await client.get(path + "?fault=slow").text.contains("\"success\""))
        await #expect(throws: URLError.self) { try await client.get(path + "?fault=nothing") }
        #expect(try await client.get(path + "?fault=none").status == 200)
    }

    @Test("Half of a body is half of a picture")
    func halfABody() async throws {
        let server = try PictureAPIServer()
        let client = Client(base: server.baseURL)
        let address = try await client.json(DogEnvelope<String>.self, "/api/breeds/image/random").message
        await #expect(throws: URLError.self) { try await client.get(at: address + "?fault=half") }
    }

    @Test("A fault for pictures in the base URL does not affect the JSON of the service")
    func byPath() async throws {
        let server = try PictureAPIServer()
        for api in ["/api/breeds/image/random", "/v1/images/search"] {
            let client = Client(base: server.baseURL + "/fault/picture-huge")
            let text = try await client.get(api).text
            let address = try #require(text.split(separator: "\"").first { $0.hasPrefix("http") })
            let file = try await client.get(at: String(address))
            #expect(throws: PictureError.tooLarge(width: 50_000, height: 50_000, limit: 64_000_000)) {
                try PictureDecoder().decode(file.data)
            }
            let path = try #require(URL(string: String(address))?.path)
            #expect(PictureAPIServer.file(at: path) != nil)
        }
    }

    @Test("A fault of the server is applied to every request in its scope")
    func standing() async throws {
        let server = try PictureAPIServer(fault: FaultRule(.serverError, in: .api))
        let client = Client(base: server.baseURL)
        #expect(try await client.get("/v1/breeds").status == 500)
        #expect(try await client.get("/api/breeds/list/all").status == 500)
        let everything = try PictureAPIServer(fault: FaultRule(.notFound))
        #expect(try await Client(base: everything.baseURL).get("/v1/breeds").status == 404)
    }

    @Test("Further services receive requests first")
    func moreRoutes() async throws {
        struct Version: BackendRoutes {
            func response(to request: ServedRequest) async -> ServedResponse? {
                request.path == "/version" ? .json("{\"version\":\"1.0\"}") : nil
            }
        }
        let server = try PictureAPIServer(moreRoutes: [Version()])
        let client = Client(base: server.baseURL)
        #expect(try await client.get("/version").text == "{\"version\":\"1.0\"}")
        #expect(try await client.get("/v1/breeds").status == 200)
        #expect(server.requests.map(\.path) == ["/version", "/v1/breeds"])
    }
}
