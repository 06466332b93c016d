import EssentialFoundation
import HTTPTransport
import NetworkProvider

/// Reading and writing objects.
extension CalDAVClient {
    /// The number of objects in one request.
    private static let batch = 50

    /// Returns objects, 50 in a request.
    ///
    /// - Parameters:
    ///   - hrefs: the objects.
    ///   - calendar: their calendar.
    /// - Returns: the objects in the order of `hrefs`; those that do not exist any more are left out, and those that the
    ///   server fails to return have a ``CalDAVObject/problem``.
    /// - Throws: ``CalDAVError``; also if the server fails to return all objects of a request.
    public func objects(
        _ hrefs: some Collection<CalDAVHref>,
        in calendar: CalDAVCalendar
    ) async throws(CalDAVError) -> [CalDAVObject] {
        var objects: [CalDAVObject] = []
        var rest = hrefs[...]
        while !rest.isEmpty {
            let batch = rest.prefix(CalDAVClient.batch)
            rest = rest.dropFirst(CalDAVClient.batch)
            var found: [CalDAVHref: CalDAVObject] = [:]
            // Those that the reply names without a text, although they exist.
            var unread = Set<CalDAVHref>()
            let wanted = Set(batch)
            do throws(CalDAVError) {
                let request = CalDAVRequest.xml("REPORT", calendar.url, depth: 0, RequestXML.multiget(batch))
                try await connection.multistatus(request) { (resource, response) throws(ReplyProblem) in
                    let href = try resource.onSameHost().href
                    guard wanted.contains(href), !DAVResponse.isAbsence(response.status) else { return }
                    guard let text = response.properties["C:calendar-data"]?.text, !text.isEmpty,
                        let etag = try? response.etag()
                    else {
                        unread.insert(href)
                        return
                    }
                    found[href] = CalDAVObject(href: href, etag: etag, text: text)
                }
            } catch {
                guard case .refused = error.reason else { throw error }
                unread = wanted
            }
            var failure: CalDAVError?
            let start = objects.count
            for href in batch {
                do throws(CalDAVError) {
                    let isUnread = found[href] == nil && unread.contains(href)
                    let object = isUnread ? try await object(at: href, in: calendar) : found[href]
                    if let object { objects.append(object) }
                } catch {
                    // A server that fails about one object still returns the others.
                    guard error.concernsObject else { throw error }
                    objects.append(CalDAVObject(href: href, etag: "", text: "", problem: "\(error)"))
                    failure = failure ?? error
                }
            }
            if let failure, objects[start...].allSatisfy({ $0.problem != nil }) { throw failure }
        }
        return objects
    }

    /// Returns an object; nil if it does not exist.
    public func object(at href: CalDAVHref, in calendar: CalDAVCalendar) async throws(CalDAVError) -> CalDAVObject? {
        let request = try self.request(.get, href, calendar)
        let response = try await connection.send(request)
        guard response.status == 200 else {
            let error = await connection.error(of: response, to: request)
            if case .notFound = error.reason { return nil }
            throw error
        }
        guard let etag = response.headers["ETag"], !etag.isEmpty else {
            throw request.error(.malformedReply("the ETag is missing"), element: "ETag")
        }
        let body: Data
        do throws(HTTPTransportError) {
            body = try await response.body.collect(upTo: connection.limits.replyBytes)
        } catch {
            throw request.error(error)
        }
        guard let text = String(validating: body, as: UTF8.self) else {
            throw request.error(.malformedReply("the object is not UTF-8"))
        }
        return CalDAVObject(href: href, etag: etag, text: text)
    }

    /// Stores a new object; nothing is overwritten.
    /// - Parameters:
    ///   - text: iCalendar text with one object. Lines that end with LF are sent with CR LF.
    ///   - href: a path in the calendar, such as `calendar.href.member("UID.ics")`, which is nil for a name that no path can
    ///     contain.
    ///   - calendar: the calendar.
    /// - Returns: the outcome; ``CalDAVWrite/preconditionFailed`` if the object exists, for example after the reply of an
    ///   earlier call was lost.
    /// - Throws: ``CalDAVError``.
    public func create(
        _ text: String,
        at href: CalDAVHref,
        in calendar: CalDAVCalendar
    ) async throws(CalDAVError) -> CalDAVWrite {
        try await put(text, href, calendar, "If-None-Match", "*")
    }

    /// Replaces an object, unless it has changed since an ETag. Lines that end with LF are sent with CR LF.
    public func update(
        _ text: String,
        at href: CalDAVHref,
        in calendar: CalDAVCalendar,
        matching etag: String
    ) async throws(CalDAVError) -> CalDAVWrite { try await put(text, href, calendar, "If-Match", etag) }

    /// Deletes an object, unless it has changed since an ETag.
    public func delete(
        at href: CalDAVHref,
        in calendar: CalDAVCalendar,
        matching etag: String
    ) async throws(CalDAVError) -> CalDAVDeletion {
        var request = try self.request(.delete, href, calendar)
        request.headers.append("If-Match", etag)
        let response = try await connection.send(request)
        switch response.status {
        case 200, 202, 204, 404, 410:
            await response.discard()
            return .deleted
        case 412:
            await response.discard()
            return .preconditionFailed
        case 403, 405:
            await response.discard()
            return .readOnly
        default: throw await connection.error(of: response, to: request)
        }
    }

    private func put(
        _ text: String,
        _ href: CalDAVHref,
        _ calendar: CalDAVCalendar,
        _ condition: String,
        _ etag: String
    ) async throws(CalDAVError) -> CalDAVWrite {
        var request = try self.request(.put, href, calendar)
        request.headers.append("Content-Type", "text/calendar; charset=utf-8")
        request.headers.append(condition, etag)
        request.body = Data(CalDAVClient.linesWithReturns(text))
        let response = try await connection.send(request)
        switch response.status {
        case 200, 201, 204:
            await response.discard()
            return .stored(etag: response.headers["ETag"].flatMap { $0.isEmpty || $0.hasPrefix("W/") ? nil : $0 })
        case 404, 410:
            await response.discard()
            return .gone
        case 413, 507:
            await response.discard()
            return .full
        case 400, 403, 405, 409, 412, 415, 422:
            let rule = await connection.violatedRule(response)
            // A new object has no calendar to be in (RFC 4918, section 9.7.1).
            if response.status == 409, rule == nil, condition == "If-None-Match" { return .gone }
            return outcome(response.status, rule, request.url)
        default: throw await connection.error(of: response, to: request)
        }
    }

    /// Returns a text whose lines end with CR LF, as RFC 5545 requires. XML replaces this line end by LF.
    private static func linesWithReturns(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 64)
        for byte in text.utf8 {
            if byte == 0x0A, bytes.last != 0x0D { bytes.append(0x0D) }
            bytes.append(byte)
        }
        return bytes
    }

    /// The outcome of a refused write. Servers use different statuses for the same rule.
    private func outcome(_ status: Int, _ rule: XMLElement?, _ url: URL) -> CalDAVWrite {
        switch (rule?.name, status) {
        case ("C:no-uid-conflict", _):
            let other = rule?["D:href"].flatMap {
                try? CalDAVResource($0.trimmedText, relativeTo: url).onSameHost().href
            }
            return .uidConflict(other)
        // Xandikos uses 412 for rules about the text, too.
        case (let rule, 412) where rule?.hasPrefix("C:") != true: return .preconditionFailed
        case ("D:need-privileges", _), (nil, 403), (nil, 405): return .readOnly
        case ("D:quota-not-exceeded", _), ("D:sufficient-disk-space", _): return .full
        default:
            return .rejected(status: status, condition: rule?.name.split(separator: ":").last.map(String.init))
        }
    }

    private func request(
        _ method: HTTPMethod,
        _ href: CalDAVHref,
        _ calendar: CalDAVCalendar
    ) throws(CalDAVError) -> CalDAVRequest {
        guard href.isMember(of: calendar.href), let url = calendar.url.replacingPath(href) else {
            throw CalDAVRequest(httpMethod: method, url: calendar.url)
                .error(.invalidRequest("\(href) is not an object of the calendar"))
        }
        return CalDAVRequest(httpMethod: method, url: url)
    }
}
