package import CalDAV

/// What a sync needs of a server: the calls of `CalDAVClient`, which tests replace.
package protocol TodoServer: Sendable {
    /// Returns the user's calendars with their present tags and, if wanted, tokens.
    func calendars(in home: CalDAVHome, syncTokens: Bool) async throws(CalDAVError) -> [CalDAVCalendar]

    /// Returns the changes of a calendar since a token; see `CalDAVClient`.
    func changes(
        in calendar: CalDAVCalendar,
        since token: CalDAVToken?,
        known: [CalDAVHref: String]
    ) async throws(CalDAVError) -> CalDAVChanges

    /// Returns objects; those that do not exist are left out.
    func objects(_ hrefs: [CalDAVHref], in calendar: CalDAVCalendar) async throws(CalDAVError) -> [CalDAVObject]

    /// Returns an object; `nil` if it does not exist.
    func object(at href: CalDAVHref, in calendar: CalDAVCalendar) async throws(CalDAVError) -> CalDAVObject?

    /// Stores a new object.
    func create(_ text: String, at href: CalDAVHref, in calendar: CalDAVCalendar) async throws(CalDAVError)
        -> CalDAVWrite

    /// Replaces an object, unless it has changed since an ETag.
    func update(
        _ text: String,
        at href: CalDAVHref,
        in calendar: CalDAVCalendar,
        matching etag: String
    ) async throws(CalDAVError) -> CalDAVWrite

    /// Deletes an object, unless it has changed since an ETag.
    func delete(
        at href: CalDAVHref,
        in calendar: CalDAVCalendar,
        matching etag: String
    ) async throws(CalDAVError) -> CalDAVDeletion
}

extension CalDAVClient: TodoServer {}
