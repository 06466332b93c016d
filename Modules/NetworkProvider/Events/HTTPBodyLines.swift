/// The lines of a body, read once by one reader.
public struct HTTPBodyLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String
    /// What went wrong while the body arrived, or `bodyTooLarge` for a line over the limit.
    public typealias Failure = HTTPTransportError

    let body: HTTPResponseBody
    let limit: Int

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body, pieces: body.makeAsyncIterator(), splitter: LineSplitter(limit: limit), limit: limit)
    }

    /// Gives the lines in their order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// What went wrong while the body arrived.
        public typealias Failure = HTTPTransportError

        let body: HTTPResponseBody
        var pieces: HTTPResponseBody.AsyncIterator
        var splitter: LineSplitter
        let limit: Int
        var ready: [String] = []
        var isOver = false

        /// The next line; nil at the end.
        public mutating func next() async throws(HTTPTransportError) -> String? {
            while ready.isEmpty, !isOver {
                guard let piece = try await pieces.next() else {
                    isOver = true
                    return splitter.rest().map { String(decoding: $0, as: UTF8.self) }
                }
                do throws(LineSplitter.Overflow) {
                    var lines: [String] = []
                    try splitter.split(piece) { lines.append(String(decoding: $0, as: UTF8.self)) }
                    // Last first, so that taking one is quick.
                    ready = lines.reversed()
                } catch {
                    body.cancel()
                    throw .bodyTooLarge(limit: limit)
                }
            }
            return ready.popLast()
        }
    }
}
