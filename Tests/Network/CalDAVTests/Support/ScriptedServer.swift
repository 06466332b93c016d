import CalDAV
import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

/// A server whose replies a test writes, with the calendar `/dog@home/list/`.
final class ScriptedServer: Sendable {
    let server: LoopbackServer
    let calendar: CalDAVCalendar

    init(supportsSyncCollection: Bool = true, _ handler: @escaping @Sendable (ServedRequest) -> ServedResponse) throws {
        server = try LoopbackServer(immediateHandler: handler)
        calendar = CalDAVCalendar(
            url: try #require(URL(string: server.baseURL + "/dog@home/list/")),
            href: try #require(CalDAVHref("/dog@home/list/")),
            name: "list",
            supportsSyncCollection: supportsSyncCollection
        )
    }

    deinit { server.stop() }

    func client(
        _ credential: CalDAVAccount.Credential = .basic(user: "dog", password: "s3cret"),
        limits: CalDAVLimits = CalDAVLimits()
    ) -> CalDAVClient {
        CalDAVClient(CalDAVAccount(url: calendar.url, credential: credential), limits: limits)
    }

    /// The methods of the requests so far.
    var methods: [String] { server.requests.map(\.method) }

    func href(_ name: String) -> CalDAVHref { calendar.href.member(name) ?? calendar.href }
}

extension ServedResponse {
    /// A multistatus with the namespaces of CalDAV.
    static func multistatus(_ content: String, fault: Fault? = nil) -> ServedResponse {
        let declarations =
            #"xmlns:d="DAV:" xmlns="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/""#
        return xml("<d:multistatus \(declarations)>\(content)</d:multistatus>", status: 207, fault: fault)
    }

    /// An `error` with a condition.
    static func rule(_ status: Int, _ condition: String) -> ServedResponse {
        xml(#"<d:error xmlns:d="DAV:" xmlns="urn:ietf:params:xml:ns:caldav">\#(condition)</d:error>"#, status: status)
    }

    static func xml(_ text: String, status: Int = 207, fault: Fault? = nil) -> ServedResponse {
        var response = ServedResponse.text(text, status: status, contentType: "application/xml")
        response.fault = fault
        return response
    }

    static func redirect(_ status: Int, _ location: String) -> ServedResponse {
        ServedResponse(status: status, headers: [("Location", location)])
    }
}

/// The part of a multistatus about one resource.
func resource(_ href: String, _ properties: String = "", status: Int = 200) -> String {
    "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
        + "<d:status>HTTP/1.1 \(status) Some</d:status></d:propstat></d:response>"
}

/// A member of a listing with its ETag.
func member(_ href: String, _ etag: String = "1") -> String {
    resource(href, "<d:getetag>&quot;\(etag)&quot;</d:getetag>")
}

/// A resource with a status and without properties.
func plain(_ href: String, _ status: Int) -> String {
    "<d:response><d:href>\(href)</d:href><d:status>HTTP/1.1 \(status) Some</d:status></d:response>"
}

func token(_ text: String) -> String { "<d:sync-token>\(text)</d:sync-token>" }

/// Returns the error of an operation that must fail.
func failure(_ operation: () async throws -> some Any) async throws -> CalDAVError {
    do {
        throw Unexpected("\(try await operation())")
    } catch let error as CalDAVError {
        #expect(
            !"\(error)".contains("s3cret") && "\(error)".contains(error.method) && "\(error)".contains(error.server)
        )
        return error
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
