package import CalDAV

/// A CalDAV server whose collections are known, so that listing them is one request.
package struct CalDAVTodoServer: TodoServer {
    private let client: CalDAVClient
    private let home: CalDAVHome

    /// Creates a server.
    package init(_ client: CalDAVClient, home: CalDAVHome) { (self.client, self.home) = (client, home) }

    package func calendars(syncTokens: Bool) async throws(CalDAVError) -> [CalDAVCalendar] {
        try await client.calendars(in: home, syncTokens: syncTokens)
    }

    package func changes(
        in calendar: CalDAVCalendar,
        since token: CalDAVToken?,
        known: [CalDAVHref: String]
    ) async throws(CalDAVError) -> CalDAVChanges {
        try await client.changes(in: calendar, since: token, known: known)
    }

    package func objects(
        _ hrefs: [CalDAVHref],
        in calendar: CalDAVCalendar
    ) async throws(CalDAVError) -> [CalDAVObject] {
        try await client.objects(hrefs, in: calendar)
    }

    package func object(at href: CalDAVHref, in calendar: CalDAVCalendar) async throws(CalDAVError) -> CalDAVObject? {
        try await client.object(at: href, in: calendar)
    }

    package func create(
        _ text: String,
        at href: CalDAVHref,
        in calendar: CalDAVCalendar
    ) async throws(CalDAVError) -> CalDAVWrite {
        try await client.create(text, at: href, in: calendar)
    }

    package func update(
        _ text: String,
        at href: CalDAVHref,
        in calendar: CalDAVCalendar,
        matching etag: String
    ) async throws(CalDAVError) -> CalDAVWrite {
        try await client.update(text, at: href, in: calendar, matching: etag)
    }

    package func delete(
        at href: CalDAVHref,
        in calendar: CalDAVCalendar,
        matching etag: String
    ) async throws(CalDAVError) -> CalDAVDeletion {
        try await client.delete(at: href, in: calendar, matching: etag)
    }
}
