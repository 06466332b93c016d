import Foundation
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import TransportConformance

/// Requests that cannot be sent are rejected with the invalid part, by every transport.
@Suite("Errors of invalid requests")
struct RefusalTests {
    /// A target that cannot be sent, and the texts in its error.
    struct Refused: Sendable, CustomTestStringConvertible {
        let what: String
        let target: Call<Data>
        let named: [String]
        let needsFile: Bool

        init(_ what: String, _ target: Call<Data>, _ named: [String], needsFile: Bool = false) {
            (self.what, self.target, self.named, self.needsFile) = (what, target, named, needsFile)
        }

        var testDescription: String { what }
    }

    private static let nobody = "http://127.0.0.1:9"

    static let all: [Refused] = [
        Refused("scheme", Call(base: "ftp://h"), ["scheme", "ftp", "http or https"]),
        Refused("no scheme", Call(base: "h"), ["scheme", "http://host or https://host"]),
        Refused("host", Call(base: "http://"), ["host"]),
        Refused("path", Call(base: nobody, path: "/a\r\nb"), ["/a", "line break"]),
        Refused("credentials", Call(base: "http://me:s3cret@h"), ["credentials", "Authorization"]),
        Refused("method", Call(base: nobody, httpMethod: "GE T"), ["method", "GE T"]),
        Refused("header name", Call(base: nobody, headers: ["X Bad": "1"]), ["header name", "X Bad"]),
        Refused(
            "header value",
            Call(base: nobody, headers: ["X-Line": "s3cret\r\n"]),
            ["value", "X-Line", "line break"]
        ),
        Refused(
            "framing field",
            Call(base: nobody, headers: ["Transfer-Encoding": "chunked"]),
            ["Transfer-Encoding", "do not set it"]
        ),
        Refused(
            "negative length",
            Call(base: nobody, httpMethod: .post, task: .uploadStream(HTTPBodyStream([], length: -5))),
            ["length", "-5", "negative"]
        ),
        Refused(
            "unreadable file",
            Call(base: nobody, httpMethod: .put, task: .uploadFile(path: "/no/such/corgi.jpg")),
            ["/no/such/corgi.jpg", "No such file"],
            needsFile: true
        ),
    ]

    @Test("Nothing is sent, and the error names the invalid part", arguments: RefusalTests.all)
    func refused(_ refused: Refused) async throws {
        let stub = StubTransport()
        let transports: [any HTTPTransport] = [NetworkProvider.defaultTransport()] + (refused.needsFile ? [] : [stub])
        for transport in transports {
            let error = await NetworkProvider(transport: transport).failure(of: refused.target)
            guard case .invalidRequest(let why) = error?.reason else { throw try #require(error) }
            for part in refused.named { #expect(why.contains(part), "\(refused.what): \(why)") }
            let text = try #require(error).description
            #expect(text.hasPrefix("Call<Data>: invalid request: ") && !text.contains("s3cret"), "\(text)")
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("A file that cannot be written is named, with the system's message")
    func files() async throws {
        var form = MultipartForm()
        form.append("photo", file: "/no/such/corgi.jpg")
        let unread = await NetworkProvider(transport: StubTransport()).failure(
            of: Call<Data>(base: "http://h", httpMethod: .post, task: .multipart(form))
        )
        #expect(unread?.description.contains("/no/such/corgi.jpg") == true)
        #expect(unread?.description.contains("No such file or directory") == true)
        let unwritten = await #expect(throws: NetworkError.self) {
            let stub = StubTransport().on(.get, "/", .status(200))
            return try await NetworkProvider(transport: stub).download(
                Call<Data>(base: "http://h"),
                to: "/no/such/file"
            )
        }
        #expect(unwritten?.description.contains("/no/such/file cannot be written: No such file or directory") == true)
    }
}
