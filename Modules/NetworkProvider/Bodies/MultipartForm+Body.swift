#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MultipartForm {
    /// The form as a request's body: a stream, with its length where all parts have one.
    func body() throws(MultipartError) -> HTTPBody {
        var length: Int64? = 0
        for part in parts {
            let size: Int64?
            switch part.content {
            case .data(let data): size = Int64(data.count)
            case .stream(let stream): size = stream.length
            case .file(let path): size = try FileReader.size(of: path)
            }
            length = length.flatMap { sum in size.map { sum + Int64(head(of: part).count) + $0 + 2 } }
        }
        length = length.map { $0 + Int64(tail.count) }
        let form = self
        return .stream(HTTPBodyStream(length: length) { form.pieces() })
    }

    private var tail: Data { Data("--\(boundary)--\r\n".utf8) }

    private func head(of part: Part) -> Data {
        var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartForm.escaped(part.name))\""
        if let filename = part.filename { text += "; filename=\"\(MultipartForm.escaped(filename))\"" }
        text += "\r\n"
        if let type = part.contentType { text += "Content-Type: \(MultipartForm.escaped(type))\r\n" }
        return Data((text + "\r\n").utf8)
    }

    /// Names as browsers write them: a quote or a line break would end the field.
    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "%22"
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(scalar)
            }
        }.joined()
    }

    private func pieces() -> AsyncThrowingStream<Data, any Error> {
        let walker = MultipartWalker(parts.map { (head(of: $0), $0.content) }, tail: tail)
        return AsyncThrowingStream { try await walker.next() }
    }
}
