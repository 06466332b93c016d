/// What `Content-Range` says of a part (RFC 9110, section 14.4): `bytes 0-9/100`, `bytes 0-9/*` or `bytes */100`.
struct ContentRange: Equatable {
    /// The offsets of the part's first and last byte; nil where the range could not be given.
    var bytes: ClosedRange<Int64>?
    /// The length of the whole; nil where it is not known.
    var total: Int64?

    /// Reads a field's value; nil when it says nothing that makes sense.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[1] != "*" {
            guard let total = ContentRange.number(halves[1]) else { return nil }
            self.total = total
        }
        if halves[0] == "*" { return }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ContentRange.number(ends[0]), let last = ContentRange.number(ends[1]),
            first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        bytes = first...last
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
