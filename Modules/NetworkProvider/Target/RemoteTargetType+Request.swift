#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RemoteTargetType {
    /// Puts base, path, query, fields and body together.
    ///
    /// - Returns: the request, not validated yet.
    /// - Throws: ``NetworkError`` when the parts make no URL, or the body cannot be encoded.
    public func asRequest() throws(NetworkError) -> HTTPRequest { try makeRequest(sharing: HTTPHeaders()) }

    /// The request over fields that the task's and the target's own win over.
    func makeRequest(sharing shared: HTTPHeaders) throws(NetworkError) -> HTTPRequest {
        var parameters = self.parameters ?? QueryParameters()
        var fields = HTTPHeaders()
        let task = self.task
        if case .query(let more) = task { parameters.items += more.items }
        let body = try encodedBody(task, &fields)
        guard let url = RemoteURL.url(base: base, path: path, query: parameters) else {
            throw NetworkError(
                .invalidRequest("\(Redaction.plain(base + path)) makes no URL; write the base as scheme://host"),
                target: Self.targetName
            )
        }
        return HTTPRequest(
            httpMethod,
            url: url,
            headers: shared.merging(fields).merging(headers ?? HTTPHeaders()),
            body: body,
            timeouts: timeout,
            limits: limits
        )
    }

    private func encodedBody(_ task: RemoteTask, _ fields: inout HTTPHeaders) throws(NetworkError) -> HTTPBody {
        switch task {
        case .plain, .query:
            return .none
        case .json(let value):
            fields["Content-Type"] = "application/json"
            fields["Accept"] = "application/json"
            do {
                return .data(try encoder.encode(value))
            } catch {
                throw NetworkError(.encoding(error), target: Self.targetName)
            }
        case .form(let pairs):
            fields["Content-Type"] = "application/x-www-form-urlencoded"
            return .data(Data(pairs.formText.utf8))
        case .multipart(let form):
            fields["Content-Type"] = form.contentType
            do throws(MultipartError) {
                return try form.body()
            } catch {
                throw NetworkError(.encoding(error), target: Self.targetName)
            }
        case .uploadFile(let path, let type):
            fields["Content-Type"] = type
            return .file(path: path)
        case .uploadStream(let stream, let type):
            fields["Content-Type"] = type
            return .stream(stream)
        case .raw(let data, let type):
            fields["Content-Type"] = type
            return .data(data)
        }
    }
}
