#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Walks through a form's bytes, one piece at a time.
actor MultipartWalker {
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
