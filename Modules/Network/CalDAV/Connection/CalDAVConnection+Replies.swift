import EssentialFoundation
import HTTPTransport
import NetworkProvider
import TextEscaping

extension CalDAVConnection {
    /// Sends a request, and reads the multistatus of the response as it arrives.
    /// - Parameters:
    ///   - request: the request.
    ///   - each: called with each resource of the reply, in order.
    /// - Returns: the URL after all redirects, and the token of sync-collection, if there is one.
    /// - Throws: ``CalDAVError``; ``CalDAVError/Reason/refused(status:condition:)`` for a status other than 207.
    @discardableResult
    func multistatus(
        _ request: CalDAVRequest,
        each: (CalDAVResource, DAVResponse) throws(ReplyProblem) -> Void
    ) async throws(CalDAVError) -> (url: URL, token: String?) {
        let response = try await send(request)
        var request = request
        request.url = response.head.url
        guard response.status == 207 else { throw await error(of: response, to: request) }
        let reader: XMLReader
        do throws(ReplyProblem) {
            reader = try XMLReader(root: "D:multistatus", limits: limits)
        } catch {
            throw request.error(error.reason, element: error.element)
        }
        var token: String?
        func receive(_ children: [XMLElement]) throws(ReplyProblem) {
            for child in children {
                switch child.name {
                case "D:response":
                    let parsed = try DAVResponse(child)
                    for href in parsed.hrefs { try each(CalDAVResource(href, relativeTo: request.url), parsed) }
                case "D:sync-token": token = child.trimmedText
                default: break
                }
            }
        }
        do {
            for try await piece in response.body { try receive(reader.read(piece)) }
            try receive(reader.finish())
        } catch let problem as ReplyProblem {
            response.body.cancel()
            throw request.error(problem.reason, element: problem.element)
        } catch {
            throw request.error(error as? HTTPTransportError ?? .cancelled, element: reader.element)
        }
        return (request.url, token)
    }

    /// Returns the error of a response whose status is not the expected one.
    func error(of response: HTTPResponse, to request: CalDAVRequest) async -> CalDAVError {
        guard response.status != 404, response.status != 410 else {
            await response.discard()
            return request.error(.notFound)
        }
        let status = response.status
        let condition = await violatedRule(response)?.name.split(separator: ":").last.map(String.init)
        if (200..<300).contains(status) { return request.error(.malformedReply("the status is \(status)")) }
        return request.error(.refused(status: status, condition: condition))
    }

    /// Returns the element that names the rule that a request violates, in the `error` body of a response.
    func violatedRule(_ response: HTTPResponse) async -> XMLElement? {
        guard let body = try? await response.body.collect(upTo: 64 << 10) else { return nil }
        guard let children = try? XMLReader(root: "D:error", limits: limits).read(body) else { return nil }
        return children.first { $0.name.hasPrefix("D:") || $0.name.hasPrefix("C:") }
    }
}

/// A resource that a reply names by an href: a path, or a URL of the same host or another one.
struct CalDAVResource {
    let href: CalDAVHref
    /// The URL of the resource; on the server of the reply, unless the href names another host.
    let url: URL
    /// Whether the href names another host.
    let isElsewhere: Bool

    /// Reads an href.
    /// - Throws: ``ReplyProblem`` for an href with dot segments, a query or a control character, and one that is neither a
    ///   path nor an http URL.
    init(_ text: String, relativeTo base: URL) throws(ReplyProblem) {
        guard let mark = text.firstRange(of: "://") else {
            guard let href = CalDAVHref(text), let url = base.replacingPath(href) else {
                throw CalDAVResource.invalid(text)
            }
            (self.href, self.url, isElsewhere) = (href, url, false)
            return
        }
        let slash = text[mark.upperBound...].firstIndex(of: "/") ?? text.endIndex
        let path = slash == text.endIndex ? "/" : String(text[slash...])
        guard let href = CalDAVHref(path), let origin = URL(string: text[..<slash].lowercased() + "/"),
            let host = origin.host(),
            origin.scheme == "http" || origin.scheme == "https", origin.user() == nil, origin.password() == nil
        else { throw CalDAVResource.invalid(text) }
        self.href = href
        isElsewhere = host.lowercased() != base.host()?.lowercased()
        // Behind a proxy, a server may not know its own scheme and port.
        guard let url = (isElsewhere ? origin : base).replacingPath(href) else { throw CalDAVResource.invalid(text) }
        self.url = url
    }

    /// Checks that the href names no other host.
    func onSameHost() throws(ReplyProblem) -> CalDAVResource {
        guard !isElsewhere else { throw .malformed("\(url.absoluteString.quoted()) is on another host", "D:href") }
        return self
    }

    private static func invalid(_ text: String) -> ReplyProblem {
        .malformed("\(text.quoted()) is not a usable path", "D:href")
    }
}

extension URL {
    /// This URL with another path and without a query.
    func replacingPath(_ href: CalDAVHref) -> URL? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
        components.percentEncodedPath = href.path
        components.percentEncodedQuery = nil
        components.fragment = nil
        return components.url
    }
}
