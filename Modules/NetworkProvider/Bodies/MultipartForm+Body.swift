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

/// Walks through a form's bytes, one piece at a time.
private actor MultipartWalker {
    private var parts: ArraySlice<(head: Data, content: MultipartForm.Part.Content)>
    private var tail: Data?
    private var next: [Data] = []
    private var file: FileReader?
    private var stream: (any AsyncIteratorProtocol<Data, any Error>)?

    init(_ parts: [(head: Data, content: MultipartForm.Part.Content)], tail: Data) {
        self.parts = parts[...]
        self.tail = tail
    }

    func next() async throws -> Data? {
        while true {
            if !next.isEmpty { return next.removeFirst() }
            if let file {
                if let piece = try file.next() { return piece }
                self.file = nil
                return Data("\r\n".utf8)
            }
            if var stream {
                self.stream = nil
                let piece = try await stream.next(isolation: self)
                guard let piece else { return Data("\r\n".utf8) }
                self.stream = stream
                return piece
            }
            guard let part = parts.popFirst() else {
                defer { tail = nil }
                return tail
            }
            switch part.content {
            case .data(let data): next = [data, Data("\r\n".utf8)]
            case .file(let path): file = try FileReader(path)
            case .stream(let body): stream = body.makePieces().makeAsyncIterator()
            }
            return part.head
        }
    }
}
