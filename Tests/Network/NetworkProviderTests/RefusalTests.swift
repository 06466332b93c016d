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
        var needsFile = false

        var testDescription: String { what }
    }

    private static let nobody = "http://127.0.0.1:9"

    static let all: [Refused] = [
        Refused(what: "scheme", target: Call(base: "ftp://h"), named: ["scheme", "ftp", "http or https"]),
        Refused(what: "no scheme", target: Call(base: "h"), named: ["scheme", "http://host or https://host"]),
        Refused(what: "host", target: Call(base: "http://"), named: ["host"]),
        Refused(what: "path", target: Call(base: nobody, path: "/a\r\nb"), named: ["/a", "line break"]),
        Refused(
            what: "credentials",
            target: Call(base: "http://me:s3cret@h"),
            named: ["credentials", "Authorization"]
        ),
        Refused(what: "method", target: Call(base: nobody, httpMethod: "GE T"), named: ["method", "GE T"]),
        Refused(
            what: "header name",
            target: Call(base: nobody, headers: ["X Bad": "1"]),
            named: ["header name", "X Bad"]
        ),
        Refused(
            what: "header value",
            target: Call(base: nobody, headers: ["X-Line": "s3cret\r\n"]),
            named: ["value", "X-Line", "line break"]
        ),
        Refused(
            what: "framing field",
            target: Call(base: nobody, headers: ["Transfer-Encoding": "chunked"]),
            named: ["Transfer-Encoding", "do not set it"]
        ),
        Refused(
            what: "negative length",
            target: Call(
                base: nobody,
                httpMethod: .post,
                task: .uploadStream(HTTPBodyStream([], length: -5))
            ),
            named: ["length", "-5", "negative"]
        ),
        Refused(
            what: "unreadable file",
            target: Call(base: nobody, httpMethod: .put, task: .uploadFile(path: "/no/such/corgi.jpg")),
            named: ["/no/such/corgi.jpg", "No such file"],
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
