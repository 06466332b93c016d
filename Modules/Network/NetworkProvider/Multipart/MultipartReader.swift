import EssentialFoundation
import Threading

/// Reads the bytes of a form, one piece at a time. Files are read outside the cooperative threads.
actor MultipartReader {
    private let threads = ThreadCache()
    private var parts: ArraySlice<(head: Data, content: MultipartForm.Part.Content)>
    private var tail: Data?
    private var pieces: [Data] = []
    private var stream: (any AsyncIteratorProtocol<Data, any Error>)?

    init(_ parts: [(head: Data, content: MultipartForm.Part.Content)], tail: Data) {
        self.parts = parts[...]
        self.tail = tail
    }

    func next() async throws -> Data? {
        while true {
            if !pieces.isEmpty { return pieces.removeFirst() }
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
            case .data(let data): pieces = [data, Data("\r\n".utf8)]
            case .file(let path):
                let file = try await BlockingCalls.run(on: threads) { try MultipartForm.open(path) }
                stream = FileBlocks(of: file, on: threads).makeAsyncIterator()
            case .stream(let body): stream = body.makePieces().makeAsyncIterator()
            }
            return part.head
        }
    }
}
