import Foundation
import TestSupport
import Testing

@testable import CalDAV

@Suite("Addresses and paths of CalDAV")
struct CalDAVAddressTests {
    @Test("Paths are compared by their decoded characters, and sent as the server wrote them")
    func equality() throws {
        for (left, right) in [
            ("/dog%40home/", "/dog@home/"), ("/a%2fb", "/a%2Fb"), ("/%41%7e", "/A~"), ("/강", "/%ea%b0%95"),
            ("/a b", "/a%20b"),
            ("/100%", "/100%25"),
        ] {
            #expect(CalDAVHref(left) == CalDAVHref(right) && CalDAVHref(left) != nil, "\(left) \(right)")
        }
        for (left, right) in [("/a%2Fb", "/a/b"), ("/%2540", "/%40"), ("/%252F", "/%2F"), ("/a/", "/a"), ("/A", "/a")] {
            #expect(CalDAVHref(left) != CalDAVHref(right), "\(left) \(right)")
        }
        #expect(CalDAVHref("/dog%40home/")?.path == "/dog%40home/" && CalDAVHref("/a b/강")?.path == "/a%20b/%EA%B0%95")
    }

    @Test(
        "A path with dot segments, a query, a control character or another host is refused",
        arguments: [
            "", "a", "//host/a", "/a/../b", "/a/%2e%2E/b", "/./a", "/a/..", "/a?b", "/a#b", "/a\nb", "/a%0ab",
            "/a%00", "/a%7F", "http://host/a",
        ]
    )
    func refusedPaths(_ text: String) {
        #expect(CalDAVHref(text) == nil)
    }

    @Test("A member of a collection is one segment below it")
    func members() throws {
        let list = try #require(CalDAVHref("/dog@home/list"))
        #expect(
            list.member("a/b%.ics")?.path == "/dog@home/list/a%2Fb%25.ics" && list.member("..") == nil
                && list.member("") == nil
        )
        for (text, isMember) in [
            ("/dog%40home/list/1.ics", true), ("/dog@home/list/", false), ("/dog@home/list/a/b", false),
            ("/dog@home/lists/1", false), ("/dog@home/list/a/", false),
        ] { #expect(try #require(CalDAVHref(text)).isMember(of: list) == isMember, "\(text)") }
        #expect(try #require(CalDAVHref("/dog%40home/list/")).isCollection(list))
        let base = try #require(URL(string: "http://example.com/dog"))
        for (text, isElsewhere) in [
            ("http://EXAMPLE.com/a", false), ("HTTPS://example.com/a", false), ("http://example.net/a", true),
            ("/a", false),
        ] { #expect(try CalDAVResource(text, relativeTo: base).isElsewhere == isElsewhere, "\(text)") }
        let stored = try JSONEncoder().encode([list])
        #expect(try JSONDecoder().decode([CalDAVHref].self, from: stored) == [list])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([CalDAVHref].self, from: Data(#"["/a/../b"]"#.utf8))
        }
    }

    @Test("An account begins at a URL, a host or the host of a mail address, and shows no secret")
    func accounts() throws {
        for (text, url) in [
            ("dog@example.com", "https://example.com"), (" dav.example.com ", "https://dav.example.com"),
            ("http://127.0.0.1:5232/dog/", "http://127.0.0.1:5232/dog/"),
            ("host:8443/강", "https://host:8443/%EA%B0%95"),
            ("https://example.com/dog@home/", "https://example.com/dog@home/"),
            ("dav.example.com/user/dog@example.org/", "https://dav.example.com/user/dog@example.org/"),
            ("dog@example.com/?a=http://b@c", "https://example.com/?a=http://b@c"),
            ("HTTP://127.0.0.1:5232/Dog/", "http://127.0.0.1:5232/Dog/"),
        ] { #expect(CalDAVAccount(address: text, credential: .none)?.url.absoluteString == url, "\(text)") }
        // A password goes over https, or stays on this machine.
        for (text, isSecure) in [
            ("https://a.net/", true), ("http://127.0.0.1:1/", true), ("http://LOCALHOST/", true),
            ("http://a.net/", false), ("http://127.a.net/", false), ("http://localhost.a.net/", false),
        ] { #expect(CalDAVAccount.isSecure(try #require(URL(string: text))) == isSecure, "\(text)") }
        for text in [
            "", "ftp://host", "https://dog:secret@host/", "a\nb", "https:///x", "my server", "https://my server/",
        ] {
            #expect(CalDAVAccount(address: text, credential: .none) == nil, "\(text)")
        }
        for credential in [CalDAVAccount.Credential.basic(user: "dog", password: "s3cret"), .bearer("s3cret")] {
            let account = try #require(CalDAVAccount(address: "host", credential: credential))
            var dumped = ""
            dump(account, to: &dumped)
            #expect(!"\(account) \(credential)\(dumped)".contains("s3cret"))
        }
    }
}
