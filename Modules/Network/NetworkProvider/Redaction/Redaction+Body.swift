public import EssentialFoundation

extension Redaction {
    /// Returns a body with the secret fields of JSON, of a form or of a multipart form replaced; any other body is
    /// returned unchanged. The body may be truncated.
    /// - Parameters:
    ///   - body: the bytes, decompressed.
    ///   - contentType: the value of the Content-Type field. A body that begins like JSON is treated as JSON.
    /// - Returns: the bytes without secrets.
    public func redacted(body: Data, contentType: String?) -> Data {
        redacted(body: body, contentType: contentType, keepsKinds: false)
    }

    /// The same; with `keepsKinds`, each text, number and boolean in a secret field of JSON is replaced by one of its kind, so
    /// that the body can be decoded.
    package func redacted(body: Data, contentType: String?, keepsKinds: Bool) -> Data {
        guard !body.isEmpty, !fields.isEmpty || !parameters.isEmpty else { return body }
        let type = contentType?.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") { return redactedForm(body) }
        if type.hasPrefix("multipart/form-data"), let boundary = Redaction.boundary(contentType) {
            return redactedMultipart(body, boundary, keepsKinds)
        }
        let first = body.first { $0 > 0x20 }
        if type.contains("json") || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return Data(JSONRedaction.redacted(Array(body), keepsKinds: keepsKinds) { isSecretField($0) })
        }
        return body
    }

    private func redactedForm(_ body: Data) -> Data {
        let pairs = body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair -> Data in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
                isSecretFormField(String(decoding: pair[..<equals], as: UTF8.self))
            else { return Data(pair) }
            return Data(pair[...equals]) + Data(Redaction.mark.utf8)
        }
        return Data(pairs.joined(separator: [UInt8(ascii: "&")]))
    }

    private func redactedMultipart(_ body: Data, _ boundary: String, _ keepsKinds: Bool) -> Data {
        // A delimiter is at the start of a line: elsewhere, the same bytes belong to a part.
        let line = Data("\n--\(boundary)".utf8)
        var result = Data()
        // The first line is one, too.
        var rest = Data("\n".utf8) + body
        while let start = rest.firstRange(of: line) {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let end = rest.firstRange(of: line)?.lowerBound ?? rest.endIndex
            guard let head = rest[..<end].firstRange(of: Data("\r\n\r\n".utf8)) else { continue }
            let fields = Redaction.fields(of: String(decoding: rest[..<head.lowerBound], as: UTF8.self))
            let names = fields.compactMap { FieldParameters.value("name", in: $0) }
            let type = fields.first { $0.lowercased().hasPrefix("content-type:") }?.dropFirst("content-type:".count)
            let contentType = type.map { HTTPSyntax.trimmed(String($0)) }
            // A multipart form in a part is a secret as a whole: it may be of any depth.
            let isForm = contentType?.lowercased().hasPrefix("multipart/form-data") ?? false
            var part = Data(rest[head.upperBound..<end])
            let lineEnd = part.last == UInt8(ascii: "\r") ? part.removeLast() : nil
            result += rest[..<head.upperBound]
            if isForm || names.contains(where: { isSecretFormField($0) }) {
                result += Data(Redaction.mark.utf8)
            } else {
                result += redacted(body: part, contentType: contentType, keepsKinds: keepsKinds)
            }
            if let lineEnd { result.append(lineEnd) }
            rest = rest[end...]
        }
        return Data((result + rest).dropFirst())
    }

    /// Returns the fields of a part's head, each on one line.
    private static func fields(of head: String) -> [String] {
        let unfolded = head.replacing("\r\n ", with: " ").replacing("\r\n\t", with: " ")
        return unfolded.split(separator: "\r\n").map(String.init)
    }

    /// Returns the boundary in a multipart media type.
    package static func boundary(_ contentType: String?) -> String? {
        let value = contentType.flatMap { FieldParameters.value("boundary", in: $0) }
        return value?.isEmpty == false ? value : nil
    }
}

/// Replaces the values of some members in JSON text, complete or truncated, and copies every other byte.
///
/// The text is not parsed, so that neither its depth nor errors in it matter.
struct JSONRedaction {
    private let bytes: [UInt8]
    private var place = 0
    private var result: [UInt8] = []

    static func redacted(_ bytes: [UInt8], keepsKinds: Bool, isSecret: (String) -> Bool) -> [UInt8] {
        var redaction = JSONRedaction(bytes: bytes)
        redaction.walk(keepsKinds, isSecret)
        return redaction.result
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        result.reserveCapacity(bytes.count)
    }

    private mutating func walk(_ keepsKinds: Bool, _ isSecret: (String) -> Bool) {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\"") else {
                result.append(bytes[place])
                place += 1
                continue
            }
            let start = place
            skipString()
            let name = start..<place
            skipBlanks()
            guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
                result += bytes[start..<place]
                continue
            }
            place += 1
            skipBlanks()
            result += bytes[start..<place]
            guard isSecret(JSONRedaction.text(bytes[name])) else { continue }
            let value = place
            skipValue()
            if keepsKinds {
                result += JSONRedaction.withoutLeaves(bytes[value..<place])
            } else {
                let isNull = bytes[value..<place].elementsEqual("null".utf8)
                result += isNull ? Array(bytes[value..<place]) : JSONRedaction.mark
            }
        }
    }

    private static let mark = Array("\"\(Redaction.mark)\"".utf8)

    /// Returns a value with each text, number and boolean replaced by one of its kind; the names in it remain.
    private static func withoutLeaves(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var rest = JSONRedaction(bytes: Array(value))
        var result: [UInt8] = []
        while rest.place < rest.bytes.count {
            let start = rest.place
            switch rest.bytes[start] {
            case UInt8(ascii: "\""):
                rest.skipString()
                let text = rest.bytes[start..<rest.place]
                let next = rest.bytes[rest.place...].first { $0 > 0x20 }
                result += next == UInt8(ascii: ":") ? Array(text) : mark
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
                UInt8(ascii: ":"), ...0x20:
                result.append(rest.bytes[start])
                rest.place += 1
            default:
                let literal = rest.bytes[start...].prefix { $0 > 0x20 && !",:[]{}\"".utf8.contains($0) }
                rest.place += literal.count
                let kind = literal.first.map { [UInt8(ascii: "t"), UInt8(ascii: "f")].contains($0) ? "false" : "0" }
                result += literal.elementsEqual("null".utf8) ? Array(literal) : Array((kind ?? "").utf8)
            }
        }
        return result
    }

    private mutating func skipBlanks() {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    }

    /// Skips from a quote to after the closing one.
    private mutating func skipString() {
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
    }

    private mutating func skipValue() {
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 0 { return }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                place += 1
                if depth == 0 { return }
            case UInt8(ascii: ",") where depth == 0: return
            case ...0x20 where depth == 0: return
            default: place += 1
            }
        }
    }

    /// Returns the text of a string with its quotes.
    private static func text(_ string: ArraySlice<UInt8>) -> String {
        if string.contains(UInt8(ascii: "\\")),
            let text = try? JSONDecoder().decode(String.self, from: Data(string))
        {
            return text
        }
        return String(decoding: string.dropFirst().dropLast(), as: UTF8.self)
    }
}
