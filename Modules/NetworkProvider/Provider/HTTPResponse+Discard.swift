extension HTTPResponse {
    /// Lets go of an answer that nobody will read: a short body is read to its end, so that the connection can be used
    /// again; a long one is not worth it.
    func discard() async {
        guard (head.contentLength ?? 0) <= 65_536 else { return body.cancel() }
        _ = try? await body.collect(upTo: 65_536)
    }
}
