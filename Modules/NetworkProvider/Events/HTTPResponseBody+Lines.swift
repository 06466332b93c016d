extension HTTPResponseBody {
    /// The body's lines as they arrive, without their ends (LF, CR LF or CR), bad UTF-8 replaced.
    /// - Parameter limit: the greatest number of bytes of one line; a longer one fails the reading.
    /// - Returns: the lines, to be read once in place of the body.
    public func lines(upTo limit: Int = 1 << 20) -> HTTPBodyLines { HTTPBodyLines(body: self, limit: limit) }
}
