extension HTTPResponse {
    /// Lets go of an answer that nobody will read: a short body is read to its end, so that the connection can be used
    /// again; one that is long, or does not come, is not worth it.
    func discard() async {
        guard (head.contentLength ?? 0) <= 65_536 else { return body.cancel() }
        _ = await body.patiently { try? await body.collect(upTo: 65_536) }
    }
}
