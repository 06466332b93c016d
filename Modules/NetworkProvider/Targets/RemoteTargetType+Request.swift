import TextEscaping

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
            throw NetworkError(
                .invalidRequest("\(Redaction.plain(base + path)) is not a URL; write the base as scheme://host"),
                target: Self.targetName
            )
        }
        var fields = HTTPHeaders()
        if let accept { fields.append("Accept", accept) }
        if let shared, !shared.isEmpty { fields = fields.isEmpty ? shared : fields.merging(shared) }
        let body = try encodedBody(&fields)
        if let headers { fields = fields.isEmpty ? headers : fields.merging(headers) }
        return HTTPRequest(httpMethod, url: url, headers: fields, body: body, timeouts: timeout, limits: limits)
    }

    private func query() throws(NetworkError) -> String {
        guard let parameters else { return "" }
        if let failure = parameters.encodingFailure {
            throw NetworkError(.invalidRequest("the query: \(failure)"), target: Self.targetName)
        }
        return parameters.queryText
    }

    private func encodedBody(_ fields: inout HTTPHeaders) throws(NetworkError) -> HTTPBody {
        do {
            switch task {
            case .plain:
                return .none
            case .json(let value):
                fields["Content-Type"] = "application/json"
                return .data(try encoder.encode(value))
            case .form(let parameters):
                fields["Content-Type"] = "application/x-www-form-urlencoded"
                if let failure = parameters.encodingFailure { throw failure }
                return .data(Data(parameters.formText.utf8))
            case .encodedForm(let value):
                fields["Content-Type"] = "application/x-www-form-urlencoded"
                return .data(Data(try QueryParameters(encoding: value).formText.utf8))
            case .multipart(let form):
                fields["Content-Type"] = form.contentType
                return try form.body()
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
        if !query.isEmpty { text += (base.contains("?") && path.isEmpty ? "&" : "?") + query }
        return URLText.escaped(text).flatMap { URL(string: $0) }
    }
}

/// Percent-encoding of names, values and path segments (RFC 3986, section 2.1).
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns the text with everything but unreserved characters escaped.
    package static func encode(_ text: String, plusForSpace: Bool = false) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            case UInt8(ascii: " ") where plusForSpace:
                encoded.append(UInt8(ascii: "+"))
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the text with its escapes decoded; an invalid escape is copied.
    package static func decode(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "%")) else { return String(text) }
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Hexadecimal.value(ofDigit: bytes[index + 1]),
                let low = Hexadecimal.value(ofDigit: bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
