#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The texts of many todos in lower case, in one block of memory.
///
/// A search compares bytes of UTF-8. Each text ends with NUL, and a mark before a label is the sign of its field. No query and
/// no text contains these bytes.
struct TodoSearchText: Sendable {
    private let bytes: [UInt8]
    /// The offset of each todo's text, and the end of the last.
    private let offsets: [Int]
    /// How often each byte occurs: a search looks for the rarest byte of its text.
    private let frequencies: [Int]

    private static let lastMark: UInt8 = 3

    /// Prepares the texts of todos, in their order.
    init(_ todos: [Todo]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(todos.count * 48)
        var offsets: [Int] = []
        offsets.reserveCapacity(todos.count + 1)
        func append(_ text: String, _ field: TodoQueryTerm.LabelField? = nil) {
            if let field { bytes.append(Self.mark(field)) }
            Self.appendLowercased(text, to: &bytes)
            bytes.append(0)
        }
        for todo in todos {
            offsets.append(bytes.count)
            append(todo.title)
            if let note = todo.note { append(note) }
            for name in todo.projects { append(name, .project) }
            for name in todo.contexts { append(name, .context) }
            for name in todo.tags { append(name, .tag) }
        }
        offsets.append(bytes.count)
        var frequencies = [Int](repeating: 0, count: 256)
        for byte in bytes { frequencies[Int(byte)] += 1 }
        (self.bytes, self.offsets, self.frequencies) = (bytes, offsets, frequencies)
    }

    private static func mark(_ field: TodoQueryTerm.LabelField) -> UInt8 {
        switch field {
        case .project: 1
        case .context: 2
        case .tag: lastMark
        }
    }

    // MARK: Searching

    /// Returns those of the todos whose texts contain a text.
    ///
    /// - Parameters:
    ///   - needle: the text, in lower case.
    ///   - candidates: the indices of the todos, in ascending order.
    /// - Returns: the indices, in ascending order.
    func indices(containing needle: String, among candidates: [Int32]) -> [Int32] {
        // No text contains these bytes.
        guard !needle.utf8.contains(where: { $0 <= Self.lastMark }) else { return [] }
        return indices(containing: Array(needle.utf8), among: candidates) { _, _ in true }
    }

    /// Returns those of the todos with a label that begins with a text.
    ///
    /// - Parameters:
    ///   - field: the kind of the label.
    ///   - start: the text, in lower case.
    ///   - candidates: the indices of the todos, in ascending order.
    ///   - verify: decides where the bytes after the text may belong to its last letter.
    /// - Returns: the indices, in ascending order.
    func indices(
        withLabel field: TodoQueryTerm.LabelField,
        startingWith start: String,
        among candidates: [Int32],
        verify: (Int32) -> Bool
    ) -> [Int32] {
        guard !start.utf8.contains(where: { $0 <= Self.lastMark }) else { return [] }
        return indices(containing: [Self.mark(field)] + Array(start.utf8), among: candidates) { index, following in
            following < 0x80 || verify(index)
        }
    }

    /// Returns the todos whose texts contain bytes.
    ///
    /// - Parameters:
    ///   - needle: the bytes.
    ///   - candidates: the indices of the todos, in ascending order.
    ///   - accept: called with a todo and the byte after the first place in its text; decides whether it is returned.
    /// - Returns: the indices, in ascending order.
    private func indices(
        containing needle: [UInt8],
        among candidates: [Int32],
        where accept: (Int32, UInt8) -> Bool
    ) -> [Int32] {
        guard let rarest = needle.indices.min(by: { frequencies[Int(needle[$0])] < frequencies[Int(needle[$1])] })
        else { return candidates }
        // One search runs through the texts of all todos, unless there are few candidates among them.
        let isSparse = candidates.count * 8 < offsets.count
        var found: [Int32] = []
        bytes.withUnsafeBytes { text in
            var next = 0
            while next < candidates.count {
                let candidate = Int(candidates[next])
                let end = isSparse ? offsets[candidate + 1] : text.count
                guard let place = Self.find(needle, rarest, in: text, offsets[candidate]..<end) else {
                    if !isSparse { break }
                    next += 1
                    continue
                }
                while next < candidates.count, offsets[Int(candidates[next]) + 1] <= place { next += 1 }
                guard next < candidates.count, offsets[Int(candidates[next])] <= place else { continue }
                if accept(candidates[next], text[place + needle.count]) { found.append(candidates[next]) }
                next += 1
            }
        }
        return found
    }

    /// Returns the offset of the first place of bytes in a range. `rarest` is the index of the byte that is looked for first.
    private static func find(
        _ needle: [UInt8],
        _ rarest: Int,
        in text: UnsafeRawBufferPointer,
        _ range: Range<Int>
    ) -> Int? {
        guard let base = text.baseAddress else { return nil }
        return needle.withUnsafeBytes { wanted in
            guard let first = wanted.baseAddress else { return nil }
            var place = range.lowerBound + rarest
            let end = range.upperBound - (needle.count - 1 - rarest)
            while place < end, let hit = memchr(base + place, Int32(needle[rarest]), end - place) {
                let start = UnsafeRawPointer(hit) - rarest
                if memcmp(start, first, needle.count) == 0 { return start - base }
                place = UnsafeRawPointer(hit) - base + 1
            }
            return nil
        }
    }

    // MARK: One text

    /// The texts that a word without a field is searched in.
    static func parts(of todo: Todo) -> [String] {
        [todo.title] + (todo.note.map { [$0] } ?? []) + todo.projects + todo.contexts + todo.tags
    }

    /// Whether a text contains a needle in lower case, whatever the case of the text.
    static func contains(_ needle: String, in text: String) -> Bool {
        var bytes: [UInt8] = []
        appendLowercased(text, to: &bytes)
        let wanted = Array(needle.utf8)
        return wanted.isEmpty || bytes.withUnsafeBytes { find(wanted, 0, in: $0, 0..<$0.count) != nil }
    }

    /// Appends a text in lower case. Text of ASCII and Hangul, which has no case, needs no new string.
    private static func appendLowercased(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        let start = bytes.count
        let isDone = text.withUTF8 { source in
            for byte in source {
                // The lead bytes C3 to DF and E1, E2, EF begin the letters that have case.
                guard byte < 0xC3 || (0xEA...0xED).contains(byte) else { return false }
                bytes.append(folded(byte))
            }
            return true
        }
        guard !isDone else { return }
        bytes.removeSubrange(start...)
        bytes += text.lowercased().utf8.lazy.map { $0 <= lastMark ? 0x1F : $0 }
    }

    /// Returns a byte in lower case. A control character that would read as a mark, which only another program can write, is
    /// replaced by another one.
    private static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte <= lastMark ? 0x1F : byte
    }
}
