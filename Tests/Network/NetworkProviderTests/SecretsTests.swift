import Foundation
import LoopbackServer
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing

@testable import NetworkProvider

/// Each place that can contain a secret, combined with each place that could show it.
@Suite("Redaction of secrets")
struct SecretsTests {
    private static let secret = "s3cret"

    /// The places where a request or its response may contain a secret.
    private static var requests: [(place: String, request: HTTPRequest)] {
        func request(_ url: String, _ headers: HTTPHeaders = [:], _ body: String? = nil) -> HTTPRequest? {
            try? HTTPRequest(
                body == nil ? .get : .post,
                url,
                headers: headers,
                body: body.map { .data(Data($0.utf8)) } ?? .none
            )
        }
        let form = "application/x-www-form-urlencoded"
        let parts = [
            ("name=\"u\"", "a"), ("name=\"password\"", "s3cret"), ("name=password\r\nX: 1", "s3cret"),
            ("filename=\"a;b\"; name=\"password\"", "s3cret"), ("NAME = \"pass\\word\"", "s3cret"),
            ("filename=\"\\\"; name=u\";\r\n name=password", "s3cret"), ("name=password", "x--b s3cret"),
            ("name=data\r\nContent-Type: application/json", #"{"credentials":{"login":"s3cret"}}"#),
            ("name=data\r\ncontent-type: application/x-www-form-urlencoded", "u=a&password=s3cret"),
            (
                "name=data\r\nContent-Type: multipart/form-data; boundary=c",
                "--c\r\nContent-Disposition: form-data; name=token\r\n\r\ns3cret\r\n--c--"
            ),
        ]
        let all: [(String, HTTPRequest?)] = [
            ("query", request("http://h/?a=1&access_token=s3cret&b=2")),
            ("query in capitals", request("http://h/?Access_Token=s3cret")),
            ("escaped name", request("http://h/?access%5Ftoken=s3cret")),
            ("camel case", request("http://h/?accessToken=s3cret")),
            ("list", request("http://h/?token[]=s3cret&user%5Bpassword%5D=s3cret")),
            ("members", request("http://h/?token[0]=s3cret&secret[a][b]=s3cret&a[access-token][]=s3cret")),
            ("form of members", request("http://h/", ["Content-Type": form], "credentials[login]=s3cret&u=a")),
            ("odd value", request("http://h/?token=s3cret=s3cret;s3cret,s3cret/s3cret?s3cret")),
            ("fragment", request("http://h/#access_token=s3cret&state=1")),
            ("user info", request("http://me:s3cret@h/@x")),
            ("user info with an at", request("http://me:s3cret@s3cret@h/")),
            ("bearer", request("http://h/", ["authorization": "Bearer s3cret"])),
            ("basic", request("http://h/", ["AUTHORIZATION": "Basic s3cret"])),
            ("cookie", request("http://h/", ["Cookie": "sid=s3cret; b=s3cret"])),
            ("key", request("http://h/", ["X-API-Key": "s3cret", "Api-Key": "s3cret"])),
            ("twice", request("http://h/", ["X-Api-Key": "", "x-api-key": "s3cret"])),
            ("proxy", request("http://h/", ["Proxy-Authorization": "s3cret"])),
            (
                "raw user info with an at",
                request("http://h/", ["Referer": "<http://u:p@s3cret@h/> and //x:s3cr@s3cret@h/"])
            ),
            ("referer", request("http://h/", ["Referer": "http://u:s3cret@h/?token=s3cret"])),
            ("JSON", request("http://h/", ["Content-Type": "application/json"], #"{"a":{"password":"s3cret"}}"#)),
            ("JSON of no type", request("http://h/", [:], #" {"refreshToken" : {"deep":["s3cret","s3cret"]}}"#)),
            ("JSON escaped", request("http://h/", [:], #"{"pass\u0077ord":"s3cret\" s3cret","n":"x"}"#)),
            ("JSON cut off", request("http://h/", [:], #"[{"token":"s3cret s3cr"#)),
            (
                "form",
                request("http://h/", ["Content-Type": form], "u=a&password=s3cret&token=x=s3cret=")
            ),
            (
                "multipart",
                request(
                    "http://h/",
                    ["Content-Type": "Multipart/Form-Data; charset=utf-8; Boundary=\"b\""],
                    "--b\r\nno head\r\n"
                        + parts.map { "--b\r\nContent-Disposition: form-data; \($0.0)\r\n\r\n\($0.1)\r\n" }.joined()
                        + "--b--\r\n"
                )
            ),
        ]
        return all.compactMap { place, request in request.map { (place, $0) } }
    }

    /// The places that show requests.
    private static func shown(_ request: HTTPRequest) -> [(how: String, text: String)] {
        var dumped = ""
        dump(request, to: &dumped)
        let redacted = Redaction().redacted(request)
        return [
            ("description", "\(request)"), ("debug description", String(reflecting: request)), ("dump", dumped),
            ("curl", request.curlCommand()), ("curl with body", request.curlCommand(includesBody: true)),
            ("redacted", "\(redacted)"), ("redacted, dumped", String(reflecting: redacted)),
        ]
    }

    @Test("A request shows no secret in any of its descriptions")
    func requests() {
        #expect(SecretsTests.requests.count == 25)
        for (place, request) in SecretsTests.requests {
            for (how, text) in SecretsTests.shown(request) {
                #expect(!text.contains("s3cr"), "\(place), \(how): \(text)")
                #expect(text.contains("h/"), "\(place), \(how): \(text)")
            }
        }
    }

    @Test("Text that is not secret remains readable")
    func readable() throws {
        let redaction = Redaction()
        let url = try #require(URL(string: "http://h/a@b?code2=1&tokens=2&x=token&monkey=3&q=a@b"))
        #expect(redaction.redacted(url) == url.absoluteString)
        for text in [
            #"{"code":404,"message":"no such \"token\": gone","key":"k","tokens":[1,2],"token":null}"#,
            "[1,2", "{", "\"", "", #"{"a":"password","b":["token"]}"#,
        ] {
            let data = Data(text.utf8)
            #expect(
                String(decoding: redaction.redacted(body: data, contentType: "application/json"), as: UTF8.self) == text
            )
        }
        let json = Data(#"{"token" : 17 , "n":[{"secret":true,"x":1}],"otp":"1"}"#.utf8)
        #expect(
            String(decoding: redaction.redacted(body: json, contentType: nil), as: UTF8.self)
                == #"{"token" : "<redacted>" , "n":[{"secret":"<redacted>","x":1}],"otp":"<redacted>"}"#
        )
    }

    @Test("JSON of any depth, and any bytes, are redacted", arguments: 1...5)
    func robust(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["{", "}", "[", "]", "\"", "\\", ":", ",", "token", " ", "1", "null", "강", "\u{0}"]
        for _ in 0..<20 {
            let text = (0..<40).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let data = Redaction().redacted(body: Data(text.utf8), contentType: "application/json")
            if !text.contains("\"token") { #expect(data == Data(text.utf8), "seed \(seed)") }
        }
        let deep = Data((String(repeating: "[", count: 100_000) + "{\"token\":1").utf8)
        #expect(Redaction().redacted(body: deep, contentType: nil).suffix(12) == Data("\"<redacted>\"".utf8))
    }

    @Test("The secrets of a response are in no error, log, measurement or excerpt")
    func answers() async throws {
        let log = EventLog()
        let headers: HTTPHeaders = [
            "Set-Cookie": "sid=s3cret", "Location": "http://u:s3cret@h/cb?token=s3cret#id_token=s3cret",
            "Link": "<http://h/?page=2&api_key=s3cret>; rel=next", "WWW-Authenticate": "Basic realm=s3cret",
            "Content-Type": "application/json",
        ]
        let body = Data(#"{"access_token":"s3cret","name":1}"#.utf8)
        let plugins: [any NetworkPlugin] = [
            LoggingPlugin(headers: true) { log.add($0) }, MetricsPlugin { log.add($0.description) },
            AuthenticationPlugin(.queryKey("s3cret", parameter: "mine"), for: .everyServer),
            AuthenticationPlugin(.apiKey("s3cret", header: "X-Mine"), for: .everyServer),
        ]
        for status in [200, 404, 503] {
            let stub = StubTransport().on(.get, "/", .data(body, status: status, headers: headers))
            let provider = NetworkProvider(transport: stub, plugins: plugins)
            let error = await #expect(throws: NetworkError.self) {
                try await RequestScope.with(labels: ["password": "s3cret", "url": "http://h?token=s3cret"]) {
                    try await provider.request(
                        Call<[Int]>(base: "http://h", parameters: ["token": "s3cret"], headers: ["Cookie": "s3cret"])
                    )
                }
            }
            var dumped = ""
            dump(error, to: &dumped)
            for text in [dumped, "\(try #require(error))", String(reflecting: error), error?.response?.text ?? ""] {
                #expect(!text.contains("s3cret"), "\(status): \(text)")
            }
            #expect(error?.response?.text.contains("access_token") == true)
        }
        #expect(log.lines.count > 20)
        for line in log.lines { #expect(!line.contains("s3cret") && !line.contains("redacted><"), "\(line)") }
    }

    @Test("The error for an invalid request contains no secret")
    func refusals() async throws {
        for base in [
            "http://me:s3cret@h", "http://me:s3cret@h\n", "ftp://me:s3cret@h/?token=s3cret",
            "http://h/?token=s3cret\u{0}", "me:s3cret@h", "//me:s3cret@h",
        ] {
            let stub = StubTransport()
            let error = await NetworkProvider(transport: stub).failure(of: Call<Data>(base: base))
            #expect(!"\(try #require(error))\(String(reflecting: error))".contains("s3cret"), "\(base)")
        }
        for location in ["ftp://me:s3cret@h/?token=s3cret", "http://me:s3cret@h/", "file:///x?token=s3cret"] {
            let stub = StubTransport().on(.get, "/", .status(302, headers: ["Location": location]))
            let error = await NetworkProvider(transport: stub).failure(of: Call<Data>(base: "http://h"))
            #expect(!"\(try #require(error))".contains("s3cret"), "\(location)")
        }
        let stub = StubTransport()
        let error = await NetworkProvider(transport: stub).failure(
            of: Call<Data>(base: "http://h", httpMethod: .post, task: .json(["password": Double.infinity]))
        )
        #expect(error?.description.contains("(at password)") == true)
    }
}
