import EssentialFoundation
import TextEscaping

extension RemoteTargetType {
    /// Returns the request made of base, path, query, header fields and body.
    ///
    /// - Returns: the request; the transport validates it when it is sent.
    /// - Throws: ``NetworkError`` when the parts do not form a URL, or the body cannot be encoded.
    public func asRequest() throws(NetworkError) -> HTTPRequest { try makeRequest(sharing: nil) }

    /// Returns the request; the fields of the task and of the target override those in `shared`.
    func makeRequest(sharing shared: HTTPHeaders?) throws(NetworkError) -> HTTPRequest {
        let path = try path
        guard let url = RemoteURL.url(base: base, path: path, query: try query()) else {
            let advice =
                (base + path).containsControls
                ? "it contains a line break or another control character" : "write the base as scheme://host"
            throw NetworkError(
                .invalidRequest("\(URLText.quoted(base + path)) is not a URL; \(advice)"),
                target: Self.targetName
            )
        }
        let (accept, headers) = (accept, headers)
        var fields = HTTPHeaders()
        if !accept.isEmpty { fields.append("Accept", accept) }
        if let shared, !shared.isEmpty { fields = fields.isEmpty ? shared : fields.merging(shared) }
        let body = try encodedBody(&fields)
        if !headers.isEmpty { fields = fields.isEmpty ? headers : fields.merging(headers) }
        return HTTPRequest(httpMethod, url: url, headers: fields, body: body, timeouts: timeout, limits: limits)
    }

    private func query() throws(NetworkError) -> String {
        let parameters = parameters
        if let failure = parameters.encodingFailure {
            throw NetworkError(.invalidRequest("the query: \(failure)"), target: Self.targetName)
        }
        return parameters.queryText
    }

    private func encodedBody(_ fields: inout HTTPHeaders) throws(NetworkError) -> HTTPBody {
        do {
            switch task {
            case .plain: return .none
            case .json(let value):
                fields[.contentType] = "application/json"
                return .data(try encoder.encode(value))
            case .form(let parameters):
                fields[.contentType] = "application/x-www-form-urlencoded"
                if let failure = parameters.encodingFailure { throw failure }
                return .data(Data(parameters.formText.utf8))
            case .encodedForm(let value):
                fields[.contentType] = "application/x-www-form-urlencoded"
                return .data(Data(try QueryParameters(encoding: value).formText.utf8))
            case .multipart(let form):
                fields[.contentType] = form.contentType
                return try form.body()
            case .uploadFile(let path, let type):
                fields[.contentType] = type
                return .file(path: path)
            case .uploadStream(let stream, let type):
                fields[.contentType] = type
                return .stream(stream)
            case .raw(let data, let type):
                fields[.contentType] = type
                return .data(data)
            }
        } catch {
            throw NetworkError(.encoding(error), target: Self.targetName)
        }
    }
}

/// Escapes values for a target's path.
public enum RemotePath {
    /// Returns a value as one segment of a path: slashes, percent signs and every other reserved character are escaped.
    ///
    /// - Throws: ``NetworkError`` for `.` and `..`: they name other folders, whether escaped or not (RFC 3986, section 5.2.4).
    public static func segment(_ value: String) throws(NetworkError) -> String {
        guard value != ".", value != ".." else {
            throw NetworkError(
                .invalidRequest(
                    "\(value.debugDescription) cannot be a segment of a path, since it names another folder; refuse it as input"
                ),
                target: "RemotePath"
            )
        }
        return PercentEncoding.encode(value)
    }
}

/// Builds a target's URL.
enum RemoteURL {
    static func url(base: String, path: String, query: String) -> URL? {
        var text = base
        if !path.isEmpty {
            while text.hasSuffix("/") { text.removeLast() }
            if !path.hasPrefix("/") { text += "/" }
            // Both are ordinary characters in a target's path, and would end the path of a URL.
            if path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
                text += path.map { $0 == "?" ? "%3F" : $0 == "#" ? "%23" : String($0) }.joined()
            } else {
                text += path
            }
        }
        if !query.isEmpty {
            // A base that is a whole URL may have a fragment.
            let end = path.isEmpty ? text.firstIndex(of: "#") ?? text.endIndex : text.endIndex
            text.insert(contentsOf: (text[..<end].contains("?") ? "&" : "?") + query, at: end)
        }
        return URLText.escaped(text).flatMap { URL(string: $0) }
    }
}
