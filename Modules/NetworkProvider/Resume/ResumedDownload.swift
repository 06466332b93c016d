/// Joins the answers of a download that is made in parts.
struct ResumedDownload {
    let file: PartialFile
    /// The URL without its secrets.
    let url: String
    let events: HTTPEventHandler?

    /// Writes an answer to the request for what is missing behind an offset.
    /// - Returns: the head when the file is whole and at its place; nil when there is more to ask for.
    func take(_ exchange: PendingExchange, from offset: Int64) async throws(NetworkError) -> HTTPResponseHead? {
        do {
            let head = exchange.head
            let range = head.headers["Content-Range"].flatMap { ContentRange($0) }
            switch head.status {
            case 416 where offset > 0:
                await exchange.response.discard()
                guard range?.total == offset, file.record?.matches(head.headers) == true else {
                    try file.restart(nil)
                    return nil
                }
            case 206:
                guard let range, let bytes = range.bytes, bytes.lowerBound == offset,
                    file.record?.matches(head.headers) ?? (offset == 0)
                else {
                    exchange.response.body.cancel()
                    guard offset > 0 else { throw exchange.error(.unacceptableStatus(206)) }
                    // Not the part that was asked for: only the whole is sure.
                    try file.restart(nil)
                    return nil
                }
                if offset == 0 { try file.restart(DownloadRecord(url: url, head.headers)) }
                try await write(exchange.response.body, of: range.total)
                guard file.size <= bytes.upperBound + 1 else {
                    // More than it said: nobody knows which bytes these are.
                    try file.restart(nil)
                    return nil
                }
                if file.size < max(bytes.upperBound + 1, range.total ?? 0) { return nil }
            default:
                try file.restart(DownloadRecord(url: url, head.headers))
                try await write(exchange.response.body, of: head.contentLength)
            }
            try file.commit()
            return head
        } catch let failure as AtomicFile.Failure {
            exchange.response.body.cancel()
            throw exchange.error(.file(path: failure.path, code: failure.code))
        } catch {
            throw exchange.wrap(error)
        }
    }

    private func write(_ body: HTTPResponseBody, of total: Int64?) async throws {
        for try await piece in body {
            try file.write(piece)
            events?(.downloaded(file.size, of: total))
        }
    }
}
