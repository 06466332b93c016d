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

/// Makes a target's URL.
enum RemoteURL {
    static func url(base: String, path: String, query: QueryParameters) -> URL? {
        var text = base
        if !path.isEmpty {
            while text.hasSuffix("/") { text.removeLast() }
            if !path.hasPrefix("/") { text += "/" }
            // In a path these two are characters like others; in a URL they would end it.
            text += path.map { $0 == "?" ? "%3F" : $0 == "#" ? "%23" : String($0) }.joined()
        }
        let queryText = query.queryText
        if !queryText.isEmpty { text += (base.contains("?") && path.isEmpty ? "&" : "?") + queryText }
        return URLText.escaped(text).flatMap { URL(string: $0) }
    }
}

/// Helps to put values into a target's path.
public enum RemotePath {
    /// A value as one segment of a path: slashes, percent signs and all else that has a meaning is escaped.
    ///
    /// The segments `.` and `..` cannot be escaped and mean other places; a server sees them as they are.
    public static func segment(_ value: String) -> String { PercentEncoding.encode(value) }
}

/// Percent-encoding of what stands inside one name, value or path segment.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text with all but RFC 3986's unreserved characters escaped.
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

    /// The text with its escapes undone; those that are none stay.
    package static func decode(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "%")) else { return String(text) }
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
