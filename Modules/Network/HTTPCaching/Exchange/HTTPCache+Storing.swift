import EssentialFoundation
import HTTPTransport
import NetworkProvider

extension HTTPCache {
    /// Returns a complete response from the network, whose body is stored while it is read (section 3).
    func store(
        _ response: HTTPResponse,
        _ hops: [NetworkTrace.Hop],
        _ control: CacheControl,
        _ network: ResponseCacheNetwork
    ) async -> HTTPResponse {
        await storeRedirects(hops.dropLast(), network)
        let answer = tagged(response, .miss)
        // A response that a plugin has made or changed is not stored.
        guard let hop = hops.last, hop.head.url == response.head.url, hop.head.status == response.status else {
            return answer
        }
        let identity = CacheIdentity(hop.request, credentials: network.credentials)
        switch hop.request.method {
        case .head: await renewByHead(hop, identity, control)
        case .get:
            // The head after the plugins, as the caller receives it.
            let stored = StoredHead(response.head, requestTime: hop.requestTime, responseTime: hop.responseTime, rules)
            guard rules.mayStore(stored, response.headers, for: control),
                isUseful(stored, response.headers, network.policy)
            else {
                // Another error says nothing about the stored response, which may still replace it.
                let replaces = hop.head.status < 400 || hop.head.status == 404 || hop.head.status == 410
                if replaces, !control.noStore { await forget(identity) }
                break
            }
            let variant = CachedVariant(stored, response.headers, identity, body: .inline(Data()))
            let recorder = BodyRecorder(self, variant, identity.key, response.head, hop.ticket)
            return HTTPResponse(head: answer.head, body: HTTPResponseBody(CachingBody(response.body, recorder)))
        default: break
        }
        return answer
    }

    /// Stores redirects that were followed, or removes the older ones whose place they take.
    func storeRedirects(_ hops: some Collection<NetworkTrace.Hop>, _ network: ResponseCacheNetwork) async {
        for hop in hops where hop.request.method == .get {
            let control = CacheControl(hop.request.headers, isRequest: true)
            let head = StoredHead(hop.head, requestTime: hop.requestTime, responseTime: hop.responseTime, rules)
            let identity = CacheIdentity(hop.request, credentials: network.credentials)
            guard let body = hop.body, rules.mayStore(head, hop.head.headers, for: control), head.lifetime > 0 else {
                if !control.noStore { await forget(identity) }
                continue
            }
            await insert(CachedVariant(head, hop.head.headers, identity, body: .inline(body)), identity.key, hop.ticket)
        }
    }

    /// Returns whether a response can be used again: it is fresh for some time, can be validated, or may be used
    /// stale.
    private func isUseful(_ head: StoredHead, _ headers: HTTPHeaders, _ policy: HTTPCachePolicy) -> Bool {
        let prefersCached = [policy, options.policy].contains { $0 == .preferCached || $0 == .staleWhileRevalidating }
        return head.lifetime > 0 || headers.contains(.etag) || headers.contains(.lastModified)
            || (head.control.staleIfError ?? 0) > 0 || (head.control.staleWhileRevalidate ?? 0) > 0
            || options.staleIfError > .zero || prefersCached && head.status < 400
    }

    /// Stores a response in its URL's record, unless the URL was invalidated since the request was sent.
    func insert(_ variant: CachedVariant, _ key: String, _ ticket: CacheChanges.Ticket) async {
        let isStored = await update(key) { record in
            // Checked under the record's lock: a later invalidation finds the record and removes it.
            guard ticket.isCurrent else { return variant.bodyKey.map { [$0] } ?? [] }
            return record.insert(variant, at: self.now())
        }
        // After the change, so that a caller that sees the count finds the response.
        if isStored { count { $0.stores += 1 } }
    }

    /// Removes a stored response: a newer one was received that is not stored.
    private func forget(_ identity: CacheIdentity) async {
        guard await record(identity.key)?.variant(for: identity) != nil else { return }
        await update(identity.key) { $0.remove { $0.matches(identity) } }
    }

    /// Renews a stored response's head by the response to a HEAD request, or removes it if the two differ (section
    /// 4.3.5). A response without a validator or a length tells nothing about the stored one.
    private func renewByHead(_ hop: NetworkTrace.Hop, _ identity: CacheIdentity, _ control: CacheControl) async {
        guard hop.head.status == 200, let old = await record(identity.key)?.variant(for: identity) else { return }
        let (stored, update) = (old.headers, hop.head.headers)
        let names = [HTTPHeaders.Name.etag, .lastModified, .contentLength]
        guard names.contains(where: { update.contains($0) && stored.contains($0) }) || update.contains(.etag) else {
            return
        }
        let isSameLength = update[.contentLength].map { $0 == stored[.contentLength] } ?? true
        if isSameLength, HTTPCache.isSameVersion(stored, update) {
            await replace(old, with: old.renewed(by: hop, identity, rules), identity.key, hop, control)
        } else {
            await self.update(identity.key) { $0.remove { $0 == old } }
        }
    }
}

extension CachedVariant {
    /// Creates a variant for a response from the network.
    init(_ head: StoredHead, _ headers: HTTPHeaders, _ identity: CacheIdentity, body: Body) {
        let names = headers.list(.vary).map { $0.lowercased() }
        self.init(
            partition: identity.partition,
            isDecompressed: identity.isDecompressed,
            varyNames: names,
            varyDigest: names.isEmpty ? [] : identity.digest(of: names),
            head: head,
            fields: CachedVariant.lines(CachedFields.stored(of: headers, receivedAt: head.responseTime)),
            body: body
        )
    }

    /// Returns the variant with a head renewed by a response without a body.
    func renewed(by hop: NetworkTrace.Hop, _ identity: CacheIdentity, _ rules: CacheRules) -> CachedVariant {
        var renewed = self
        let headers = CachedFields.renewed(self.headers, by: hop.head.headers, receivedAt: hop.responseTime)
        renewed.fields = CachedVariant.lines(headers)
        renewed.varyNames = headers.list(.vary).map { $0.lowercased() }
        renewed.varyDigest = renewed.varyNames.isEmpty ? [] : identity.digest(of: renewed.varyNames)
        renewed.head = StoredHead(
            head.status,
            headers,
            requestTime: hop.requestTime,
            responseTime: hop.responseTime,
            ageField: StoredHead.ageField(hop.head.headers),
            hadCookie: head.setsCookie || hop.head.headers.contains(.setCookie),
            rules
        )
        return renewed
    }
}
