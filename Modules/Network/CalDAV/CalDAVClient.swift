import EssentialFoundation
public import HTTPTransport
public import NetworkProvider

/// A client of a CalDAV server (RFC 4791): finds calendars, lists what has changed, and stores objects without overwriting
/// the changes of others.
///
/// ```swift
/// let client = CalDAVClient(account)
/// let calendars = try await client.calendars().filter { $0.allows("VTODO") }
/// ```
///
/// A client is a value over its connections; create one for an account. It sends a credential once: after
/// ``CalDAVError/Reason/unauthorized``, ask the user before the next call.
public struct CalDAVClient: Sendable {
    let connection: CalDAVConnection

    /// Creates a client.
    /// - Parameters:
    ///   - account: the address and the credential.
    ///   - transport: sends the requests; nil for the platform's default transport.
    ///   - plugins: plugins of the provider, such as a log, or an `AuthenticationPlugin` that refreshes a token, with the
    ///     account's credential ``CalDAVAccount/Credential/none``. A `RetryPlugin` does not repeat writes.
    ///   - limits: the limits on replies.
    public init(
        _ account: CalDAVAccount,
        transport: (any HTTPTransport)? = nil,
        plugins: [any NetworkPlugin] = [],
        limits: CalDAVLimits = CalDAVLimits()
    ) {
        connection = CalDAVConnection(account, transport, plugins, limits)
    }

    /// Finds the user's calendar collections from the account's URL, `/.well-known/caldav` or `/` (RFC 6764).
    ///
    /// Store the result: a later call of ``calendars(in:syncTokens:)`` then is one request for each collection.
    /// - Throws: ``CalDAVError``, with ``CalDAVError/Reason/notCalDAV`` if none of the addresses leads to a CalDAV server; its
    ///   ``CalDAVError/element`` is `C:calendar-home-set` if one leads to a user without calendars.
    public func home() async throws(CalDAVError) -> CalDAVHome {
        var redirect: CalDAVError?
        var homeless: CalDAVError?
        for url in candidates() {
            do throws(CalDAVError) {
                if let home = try await home(at: url) { return home }
            } catch {
                switch error.reason {
                // A proxy often redirects the well-known address to http, while the others work.
                case .refusedRedirect: redirect = redirect ?? error
                case .notCalDAV: homeless = homeless ?? error
                case .notFound, .malformedReply, .limitExceeded: break
                case .refused(let status, _) where status < 500 || status == 501 || status == 505: break
                default: throw error
                }
            }
        }
        throw redirect ?? homeless
            ?? CalDAVRequest(httpMethod: "PROPFIND", url: connection.account.url).error(.notCalDAV)
    }

    /// The account's URL, the well-known one and the root, each once.
    private func candidates() -> [URL] {
        let url = connection.account.url
        let others = ["/.well-known/caldav", "/"].compactMap { CalDAVHref($0).flatMap(url.replacingPath) }
        let isRoot = url.path(percentEncoded: true).drop { $0 == "/" }.isEmpty
        return isRoot ? others : [url] + others
    }

    /// Finds the collections from one URL; nil if it names no principal.
    private func home(at url: URL) async throws(CalDAVError) -> CalDAVHome? {
        let names = ["D:current-user-principal", "D:resourcetype", "C:calendar-home-set"]
        let (first, base) = try await properties(names, of: url)
        if first.properties["D:current-user-principal"]?["D:unauthenticated"] != nil {
            throw CalDAVRequest(httpMethod: "PROPFIND", url: base).error(.unauthorized, element: "D:unauthenticated")
        }
        let request = CalDAVRequest(httpMethod: "PROPFIND", url: base)
        if let href = first.properties["D:current-user-principal"]?["D:href"] {
            let principal = try trusted(href.trimmedText, relativeTo: request)
            let (second, place) = try await properties(["C:calendar-home-set"], of: principal)
            return CalDAVHome(principal: principal, collections: try homeSet(second, of: place))
        }
        if first.properties["C:calendar-home-set"] != nil {
            return CalDAVHome(principal: base, collections: try homeSet(first, of: base))
        }
        let isCalendar = first.properties["D:resourcetype"]?["C:calendar"] != nil
        return isCalendar ? CalDAVHome(principal: nil, collections: [base]) : nil
    }

    private func homeSet(_ response: DAVResponse, of url: URL) throws(CalDAVError) -> [URL] {
        let request = CalDAVRequest(httpMethod: "PROPFIND", url: url)
        let hrefs = response.properties["C:calendar-home-set"]?.children.filter { $0.name == "D:href" } ?? []
        guard !hrefs.isEmpty else { throw request.error(.notCalDAV, element: "C:calendar-home-set") }
        var collections: [URL] = []
        for href in hrefs {
            let url = try trusted(href.trimmedText, relativeTo: request)
            if !collections.contains(url) { collections.append(url) }
        }
        return collections
    }

    /// The URL of an href that may name another host of the account's domain.
    private func trusted(_ href: String, relativeTo request: CalDAVRequest) throws(CalDAVError) -> URL {
        do throws(ReplyProblem) {
            let resource = try CalDAVResource(href, relativeTo: request.url)
            return connection.account.trusts(resource.url.host() ?? "") ? resource.url : try resource.onSameHost().url
        } catch {
            throw request.error(error.reason, element: error.element)
        }
    }

    /// The properties of one resource, and its URL after redirects.
    func properties(_ names: [String], of url: URL) async throws(CalDAVError) -> (response: DAVResponse, url: URL) {
        let request = CalDAVRequest.xml("PROPFIND", url, depth: 0, RequestXML.propfind(names))
        var first: DAVResponse?
        let base = try await connection.multistatus(request) { _, response in first = first ?? response }.url
        guard let first else { throw request.error(.malformedReply("D:response is missing"), element: "D:response") }
        if first.status == 404 { throw request.error(.notFound) }
        return (first, base)
    }
}
