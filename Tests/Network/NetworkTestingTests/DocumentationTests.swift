import Foundation
import NetworkProvider
import NetworkTesting
import TestSupport
import Testing
import Threading

struct Photos: RemoteTargetType {
    typealias Response = [String]
    let base = "https://dog.ceo/api"
    let breed: String, tags: [String]
    var path: String { "/breed/\(breed)/images" }
    var parameters: QueryParameters { ["tag": tags, "size": "1+1"] }
}

struct SendPhoto: RemoteTargetType {
    struct Response: Decodable { let id: Int }
    let base = "https://dog.ceo/api", path = "/photos", httpMethod = HTTPMethod.post
    let file: String
    var task: RemoteTask { .uploadFile(path: file, contentType: "image/jpeg") }
}

/// The examples of the documentation, as they are printed there.
@Suite("Documentation of NetworkTesting")
struct DocumentationTests {
    struct Breeds: RemoteTargetType {
        typealias Response = [String]
        let base = "https://dog.ceo/api", path = "/breeds"
    }

    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "NetworkTesting", count: 7).missing == [])
    }

    @Test("Samples")
    func samples() async throws {
        let stub = StubTransport()
            .on(.get, "/api/breeds", .failure(.connectionLost), .status(503), .json(#"["corgi"]"#))
        let provider = NetworkProvider(transport: stub, plugins: [RetryPlugin(RetryPolicy(baseDelay: .zero))])
        let breeds = try await provider.request(Breeds())
        #expect(breeds == ["corgi"] && stub.requests.count == 3)
    }

    @Test("Expectations")
    func expectations() async throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("a photo", to: "corgi.jpg").path
        let network = MockTransport()
        network.expect(.get, "/api/breed/corgi/images", query: ["tag": "small", "size": "1+1"], response: .json("[]"))
        network.expect(.post, "/api/photos", response: .json(#"{"id":7}"#))
        let provider = NetworkProvider(transport: network)
        #expect(throws: TrafficIssues.self) { try network.verify() }
        _ = try await provider.request(Photos(breed: "corgi", tags: ["small"]))
        #expect(try await provider.request(SendPhoto(file: file)).id == 7)
        try network.verify()
    }

    @Test("An issue is reported at the line of its expectation")
    func issueLocation() async {
        let network = MockTransport(order: .any) { issue in
            guard let place = issue.location else { return }
            let location = SourceLocation(
                fileID: place.fileID,
                filePath: place.filePath,
                line: place.line,
                column: place.column
            )
            Issue.record("\(issue.message)", sourceLocation: location)
        }
        network.expect(.get, "/never")
        let line = #line - 1
        let found = Locked(0)
        withKnownIssue {
            #expect(throws: TrafficIssues.self) { try network.verify() }
        } matching: { issue in
            found.withLock { $0 = issue.sourceLocation?.line ?? 0 }
            return issue.comments.contains { $0.rawValue == "GET /never was expected but was not sent" }
        }
        #expect(found.withLock { $0 } == line)
    }

    @Test("Recorded once, then replayed")
    func recordAndReplay() async throws {
        let real = StubTransport().on(.get, "/api/breeds", .json(#"["corgi"]"#))
        let folder = try TemporaryDirectory()
        let path = folder.file("breeds.json").path
        let recorder = RecordingTransport(real)
        let recorded = try await NetworkProvider(transport: recorder).request(Breeds())
        try recorder.recording.write(to: path)
        let replay = ReplayTransport(try Recording(contentsOf: path))
        let replayed = try await NetworkProvider(transport: replay).request(Breeds())
        #expect(recorded == ["corgi"] && replayed == recorded && real.requests.count == 1)
    }
}
