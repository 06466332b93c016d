public import EssentialFoundation
import HTTPTransport
import NetworkProvider
import TextEscaping

/// Listing and changing calendars.
extension CalDAVClient {
    private static let properties = [
        "D:resourcetype", "D:displayname", "C:supported-calendar-component-set", "D:current-user-privilege-set",
        "D:sync-token", "CS:getctag", "D:supported-report-set", "A:calendar-color",
    ]

    /// Finds the user's calendars.
    public func calendars() async throws(CalDAVError) -> [CalDAVCalendar] { try await calendars(in: home()) }

    /// Lists the calendars of a home, in the server's order, with their current tokens: one request for each collection.
    ///
    /// A calendar whose ``CalDAVCalendar/token`` equals the stored one has no changes. Neither has one whose
    /// ``CalDAVCalendar/ctag`` equals the stored one; a server may need longer for a token than for a tag.
    /// - Parameters:
    ///   - home: the home.
    ///   - syncTokens: whether to ask for the tokens of sync-collection.
    /// - Returns: the calendars.
    /// - Throws: ``CalDAVError``.
    public func calendars(in home: CalDAVHome, syncTokens: Bool = true) async throws(CalDAVError) -> [CalDAVCalendar] {
        var calendars: [CalDAVCalendar] = []
        let properties = CalDAVClient.properties.filter { syncTokens || $0 != "D:sync-token" }
        for url in home.collections {
            let request = CalDAVRequest.xml("PROPFIND", url, depth: 1, RequestXML.propfind(properties))
            try await connection.multistatus(request) { (resource, response) throws(ReplyProblem) in
                guard response.isCalendar else { return }
                let resource = try resource.onSameHost()
                if !calendars.contains(where: { $0.url == resource.url }) {
                    calendars.append(CalDAVCalendar(resource, response))
                }
            }
        }
        return calendars
    }

    /// Returns a calendar with its current properties and token.
    /// - Throws: ``CalDAVError``, with ``CalDAVError/Reason/notFound`` if there is no calendar at the URL.
    public func calendar(at url: URL) async throws(CalDAVError) -> CalDAVCalendar {
        let (response, base) = try await properties(CalDAVClient.properties, of: url)
        guard response.isCalendar, let href = CalDAVHref(base.path(percentEncoded: true)) else {
            throw CalDAVRequest(httpMethod: "PROPFIND", url: base).error(.notFound, element: "C:calendar")
        }
        return CalDAVCalendar(CalDAVResource(href: href, url: base), response)
    }

    /// Creates a calendar.
    /// - Parameters:
    ///   - name: the display name.
    ///   - components: the components that it may contain; several servers refuse a mixture.
    ///   - color: the colour as `#rrggbb`.
    ///   - home: where it is created; the first collection is used.
    ///   - id: the last segment of its path; a new UUID by default. A repeated call with the same one, after a lost reply,
    ///     creates no second calendar, but is refused.
    /// - Returns: the calendar, as the server has created it.
    /// - Throws: ``CalDAVError``.
    public func createCalendar(
        named name: String,
        components: Set<String> = ["VTODO"],
        color: String? = nil,
        in home: CalDAVHome,
        id: String = UUID().uuidString
    ) async throws(CalDAVError) -> CalDAVCalendar {
        guard let base = home.collections.first, let folder = CalDAVHref(base.path(percentEncoded: true)),
            let url = folder.member(id).flatMap({ CalDAVHref($0.path + "/") }).flatMap(base.replacingPath)
        else {
            let request = CalDAVRequest(httpMethod: "MKCALENDAR", url: connection.account.url)
            throw request.error(.invalidRequest("\(id.quoted()) cannot be a segment of a path; leave out the id"))
        }
        let body = RequestXML.makeCalendar(name, components.sorted(), color)
        try await expectSuccess(.xml("MKCALENDAR", url, body))
        return try await calendar(at: url)
    }

    /// Changes the display name of a calendar.
    public func renameCalendar(_ calendar: CalDAVCalendar, to name: String) async throws(CalDAVError) {
        let request = CalDAVRequest.xml("PROPPATCH", calendar.url, RequestXML.rename(name))
        var isRenamed = false
        try await connection.multistatus(request) { _, response in
            isRenamed = isRenamed || response.properties["D:displayname"] != nil
        }
        guard isRenamed else { throw request.error(.refused(status: 403, condition: nil), element: "D:displayname") }
    }

    /// Deletes a calendar with all its objects. A calendar that does not exist is no error.
    public func deleteCalendar(_ calendar: CalDAVCalendar) async throws(CalDAVError) {
        do throws(CalDAVError) {
            try await expectSuccess(CalDAVRequest(httpMethod: .delete, url: calendar.url))
        } catch {
            guard case .notFound = error.reason else { throw error }
        }
    }

    private func expectSuccess(_ request: CalDAVRequest) async throws(CalDAVError) {
        let response = try await connection.send(request)
        // 207 lists the members for which it failed.
        guard response.head.isSuccess, response.status != 207 else {
            throw await connection.error(of: response, to: request)
        }
        await response.discard()
    }
}

extension CalDAVResource {
    /// A resource on the server of its URL.
    init(href: CalDAVHref, url: URL) { (self.href, self.url, isElsewhere) = (href, url, false) }
}

extension DAVResponse {
    /// Whether the resource is a calendar; deleted ones in a server's bin are not.
    var isCalendar: Bool { properties["D:resourcetype"]?["C:calendar"] != nil }
}

extension CalDAVCalendar {
    /// The properties of a calendar.
    init(_ resource: CalDAVResource, _ response: DAVResponse) {
        let components = response.properties["C:supported-calendar-component-set"]?.children
            .filter { $0.name == "C:comp" }.compactMap { $0.attributes["name"]?.uppercased() }
        let privileges = response.properties["D:current-user-privilege-set"]?.children.flatMap {
            $0.children.map(\.name)
        }
        let reports = response.properties["D:supported-report-set"]?.children
            .compactMap { $0["D:report"] }.flatMap { $0.children.map(\.name) }
        let name = response.text("D:displayname").map { $0.removingControls() }
        self.init(
            url: resource.url,
            href: resource.href,
            name: name.flatMap { $0.isEmpty ? nil : $0 } ?? resource.href.name,
            components: components.flatMap { $0.isEmpty ? nil : Set($0) },
            canWrite: privileges.map { !Set(["D:all", "D:write", "D:write-content"]).isDisjoint(with: $0) } ?? true,
            color: response.text("A:calendar-color").flatMap { CalDAVCalendar.isColor($0) ? $0.lowercased() : nil },
            ctag: response.text("CS:getctag"),
            syncToken: response.text("D:sync-token"),
            supportsSyncCollection: reports?.contains("D:sync-collection") ?? (response.text("D:sync-token") != nil)
        )
    }

    private static func isColor(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (bytes.count == 7 || bytes.count == 9) && bytes[0] == UInt8(ascii: "#")
            && bytes.dropFirst().allSatisfy { Hexadecimal.value(ofDigit: $0) != nil }
    }
}
