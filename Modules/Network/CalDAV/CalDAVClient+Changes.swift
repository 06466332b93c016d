import EssentialFoundation
import HTTPTransport

/// Listing what has changed.
extension CalDAVClient {
    /// Returns the changes of a calendar since a token.
    ///
    /// Where the server supports it, only the changes are transferred (RFC 6578), in as many replies as the server needs;
    /// otherwise its tag (`getctag`) says whether anything has changed, and all members are listed. A token that the server
    /// does not know any more leads to a list of all members, too. A member that the user may not read (401 or 403) is passed
    /// over: it is neither changed nor removed. So is one with another failure, after which the token stays the former one.
    /// - Parameters:
    ///   - calendar: the calendar.
    ///   - token: the token of the last changes; nil lists all members.
    ///   - known: the ETags of all members that the caller has seen, including those that it does not use, such as events.
    /// - Returns: the changes; store their token after the objects.
    /// - Throws: ``CalDAVError``.
    public func changes(
        in calendar: CalDAVCalendar,
        since token: CalDAVToken?,
        known: [CalDAVHref: String]
    ) async throws(CalDAVError) -> CalDAVChanges {
        if calendar.supportsSyncCollection {
            if case .sync(let text)? = token, let listing = try await collect(calendar, since: text) {
                if !listing.repeats(known) { return listing.changes(from: known, since: token) }
                // Instead of refusing a token, some servers return all members, so that removed ones are not mentioned.
                var complete = try await list(calendar)
                complete.token = listing.token
                return complete.changes(from: known, since: token)
            }
            if let listing = try await collect(calendar, since: nil) {
                return listing.changes(from: known, since: token)
            }
        } else if case .tag(let tag)? = token, try await self.calendar(at: calendar.url).ctag == tag {
            return CalDAVChanges(token: token, isComplete: false)
        }
        return try await list(calendar).changes(from: known, since: token)
    }

    /// Lists the members by sync-collection, all of them without a token; nil if the server refuses the token or the report.
    private func collect(_ calendar: CalDAVCalendar, since token: String?) async throws(CalDAVError) -> Listing? {
        var listing = Listing(isComplete: token == nil)
        var token = token
        for _ in 0..<connection.limits.pages {
            let request = CalDAVRequest.xml("REPORT", calendar.url, depth: 0, RequestXML.syncCollection(since: token))
            var isTruncated = false
            let reply: (url: URL, token: String?)
            do throws(CalDAVError) {
                reply = try await connection.multistatus(request) { (resource, response) throws(ReplyProblem) in
                    let resource = try resource.onSameHost()
                    if resource.href.isCollection(calendar.href) {
                        isTruncated = isTruncated || response.status == 507
                    } else if try resource.href.isObject(in: calendar) {
                        try listing.add(resource.href, response, connection.limits)
                    }
                }
            } catch {
                // valid-sync-token (403, 409, 412), a server's failure about a malformed token (500), and servers that
                // do not know the report. If the user may not read the calendar, the next request says so.
                guard case .refused = error.reason else { throw error }
                return nil
            }
            guard let next = reply.token, !next.isEmpty else {
                throw request.error(.malformedReply("D:sync-token is missing"), element: "D:sync-token")
            }
            listing.token = .sync(next)
            guard isTruncated else { return listing }
            guard next != token else {
                throw request.error(
                    .malformedReply("a truncated reply has the token of its request"),
                    element: "D:sync-token"
                )
            }
            token = next
        }
        let request = CalDAVRequest(httpMethod: "REPORT", url: calendar.url)
        throw request.error(.limitExceeded("the changes come in more than \(connection.limits.pages) replies"))
    }

    /// Lists all members with their ETags.
    private func list(_ calendar: CalDAVCalendar) async throws(CalDAVError) -> Listing {
        let names = ["D:getetag", "D:resourcetype", "D:sync-token", "CS:getctag"]
        let request = CalDAVRequest.xml("PROPFIND", calendar.url, depth: 1, RequestXML.propfind(names))
        var listing = Listing(isComplete: true)
        try await connection.multistatus(request) { (resource, response) throws(ReplyProblem) in
            let resource = try resource.onSameHost()
            if resource.href.isCollection(calendar.href) {
                let syncToken = calendar.supportsSyncCollection ? response.text("D:sync-token") : nil
                listing.token = syncToken.map { .sync($0) } ?? response.text("CS:getctag").map { .tag($0) }
            } else if response.properties["D:resourcetype"]?["D:collection"] == nil,
                try resource.href.isObject(in: calendar)
            {
                try listing.add(resource.href, response, connection.limits)
            }
        }
        return listing
    }
}

extension CalDAVHref {
    /// Whether this is an object of a calendar; false for a collection in it.
    /// - Throws: ``ReplyProblem`` if it is outside the calendar.
    fileprivate func isObject(in calendar: CalDAVCalendar) throws(ReplyProblem) -> Bool {
        if isMember(of: calendar.href) { return true }
        guard isBelow(calendar.href) else {
            throw .malformed("\(path) is outside the calendar \(calendar.href)", "D:href")
        }
        return false
    }
}

/// The members that one or more replies name.
private struct Listing {
    let isComplete: Bool
    var token: CalDAVToken?
    private var etags: [CalDAVHref: String] = [:]
    private var removed: Set<CalDAVHref> = []
    /// The statuses of the members that the user may not read (401 or 403), or about which the server fails.
    private var unread: [CalDAVHref: Int] = [:]

    init(isComplete: Bool) { self.isComplete = isComplete }

    /// Adds a member of a reply. A later one replaces an earlier one.
    mutating func add(_ href: CalDAVHref, _ response: DAVResponse, _ limits: CalDAVLimits) throws(ReplyProblem) {
        etags[href] = nil
        removed.remove(href)
        unread[href] = nil
        switch response.refusal {
        case let status where DAVResponse.isAbsence(status): removed.insert(href)
        case let status?: unread[href] = status
        case nil: etags[href] = try response.etag()
        }
        guard etags.count + removed.count + unread.count <= limits.members else {
            throw ReplyProblem(
                reason: .limitExceeded("there are more than \(limits.members) objects"),
                element: "D:response"
            )
        }
    }

    /// Whether the changes since a token contain at least half of the known members unchanged, which a server would have no
    /// reason to list. The caller's own last changes may be among them.
    func repeats(_ known: [CalDAVHref: String]) -> Bool {
        let repeated = etags.count { known[$0.key] == $0.value }
        return repeated > 0 && repeated * 2 >= known.count
    }

    /// The differences from the members that the caller knows, whose token was `former`.
    func changes(from known: [CalDAVHref: String], since former: CalDAVToken?) -> CalDAVChanges {
        let gone = isComplete ? known.keys.filter { etags[$0] == nil } : removed.filter { known[$0] != nil }
        return CalDAVChanges(
            changed: etags.filter { known[$0.key] != $0.value },
            removed: Set(gone).subtracting(unread.keys),
            // A member about which the server fails is to be listed again.
            token: unread.values.allSatisfy { $0 == 401 || $0 == 403 } ? token : former,
            isComplete: isComplete
        )
    }
}
