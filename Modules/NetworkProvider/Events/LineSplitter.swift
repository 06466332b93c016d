/// Takes bytes as they come and gives whole lines, ended by LF, CR LF or CR.
struct LineSplitter {
    /// A line grew over its limit.
    struct Overflow: Error {}

    private let limit: Int
    private var line: [UInt8] = []
    private var isAfterReturn = false

    /// Begins a text; `limit` is the greatest number of bytes of a line.
    init(limit: Int) { self.limit = limit }

    /// Calls `take` with each line that ends in these bytes.
    mutating func split(_ bytes: some Sequence<UInt8>, _ take: ([UInt8]) -> Void) throws(Overflow) {
        for byte in bytes {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            // The second half of a CR LF, which may come in another piece than the first.
            case UInt8(ascii: "\n") where isAfterReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                take(line)
                line.removeAll(keepingCapacity: true)
            default:
                guard line.count < limit else { throw Overflow() }
                line.append(byte)
            }
        }
    }

    /// What stands behind the last line's end; nil for nothing.
    mutating func rest() -> [UInt8]? {
        defer { line = [] }
        return line.isEmpty ? nil : line
    }
}
