import Checksums
import SystemCalls

/// An open index of a ``TodoBase``: it finds a todo by its ID, and prints a list, without reading the journal.
///
/// What is read is verified by checksums. A method that finds damage returns `nil`, and the caller reads the journal.
final class TodoIndex {
    /// The mark of the journal that was indexed.
    let mark: String
    /// The number of todos.
    let count: Int

    private let descriptor: Int32
    /// The places of the IDs, the rows, the texts, the lines, the links and the JSON.
    private let sections: [Range<Int>]
    /// The checksums of all sections but the last.
    private let checksums: [UInt32]
    private var idsCache: [UInt8]?

    private enum Section: Int { case ids, rows, texts, lines, links, json }

    /// Opens an index; returns `nil` if it is missing, torn, of another format, or was made of another state of the journal.
    init?(_ path: String, journalPath: String) {
        typealias Format = TodoIndexFormat
        guard let journal = try? POSIX.status(of: journalPath), let file = try? POSIX.open(path, Self.nonBlocking)
        else { return nil }
        // From here on, `deinit` closes the file.
        descriptor = file
        let header = Self.read(file, 0..<Format.headerSize) ?? []
        let isIntact = header.withUnsafeBytes { bytes in
            header.count == Format.headerSize && header.starts(with: Format.magic)
                && Format.load(bytes, 92) == CRC32C.checksum(of: header, in: 0..<92)
        }
        guard isIntact else {
            (mark, count, sections, checksums) = ("", 0, [], [])
            return nil
        }
        let (mark, numbers, sums) = header.withUnsafeBytes { bytes in
            (
                Format.mark(bytes, at: 8), (0..<6).map { Format.load(bytes, 24 + 8 * $0) as Int },
                (0..<5).map { Format.load(bytes, 72 + 4 * $0) as UInt32 }
            )
        }
        (self.mark, count, checksums) = (mark, numbers[1], sums)
        // A header with the right checksum can have sizes that no file has.
        guard numbers.allSatisfy({ (0..<1 << 40).contains($0) }) else {
            sections = []
            return nil
        }
        var end = Format.headerSize
        sections = ([count * Format.idSize, count * Format.rowSize] + numbers[2...]).map { size in
            defer { end += size }
            return end..<end + size
        }
        let status = try? POSIX.status(file)
        guard numbers[0] == journal.size, end == status?.size, status?.kind == .regular else { return nil }
    }

    deinit { POSIX.close(descriptor) }

    /// A FIFO in the place of the file must not block.
    private static let nonBlocking = O_RDONLY | O_NONBLOCK

    private static func read(_ descriptor: Int32, _ range: Range<Int>) -> [UInt8]? {
        // All threads share the empty array, to which the initializer below would write its count.
        if range.isEmpty { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, used in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            used = (try? POSIX.readAll(descriptor, into: raw, at: range.lowerBound)) ?? 0
        }
        return bytes.count == range.count ? bytes : nil
    }

    /// Reads a section but the last and verifies its checksum.
    private func bytes(_ section: Section) -> [UInt8]? {
        guard let bytes = Self.read(descriptor, sections[section.rawValue]) else { return nil }
        return CRC32C.checksum(of: bytes) == checksums[section.rawValue] ? bytes : nil
    }

    private func ids() -> [UInt8]? {
        if idsCache == nil { idsCache = bytes(.ids) }
        return idsCache
    }

    // MARK: Todos

    /// A result of a search in the index.
    enum Found<Value> {
        case found(Value)
        case absent
        case damaged
    }

    /// Returns the todo with an ID.
    func todo(_ id: TodoID) -> Found<Todo> {
        guard let ids = ids() else { return .damaged }
        return ids.withUnsafeBytes { bytes in
            guard let place = position(id.bits, bytes), TodoIndexFormat.load(bytes, place) == id.bits
            else { return .absent }
            let row: UInt32 = TodoIndexFormat.load(bytes, place + 8)
            guard row < count, let todo = todo(row: Int(row), id) else { return .damaged }
            return .found(todo)
        }
    }

    /// Returns the IDs that begin with a text.
    func ids(prefix: String) -> [TodoID]? {
        guard let all = ids() else { return nil }
        return all.withUnsafeBytes { bytes in
            guard let first = TodoID.bits(ofPrefix: prefix), var place = position(first, bytes) else { return [] }
            var ids: [TodoID] = []
            while place < bytes.count {
                guard let id = TodoID(bits: TodoIndexFormat.load(bytes, place)) else { return nil }
                guard id.description.hasPrefix(prefix) else { break }
                ids.append(id)
                place += TodoIndexFormat.idSize
            }
            return ids
        }
    }

    /// Returns the offset of the first ID whose bits are not less than these; `nil` after the last.
    private func position(_ first: UInt64, _ ids: UnsafeRawBufferPointer) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if TodoIndexFormat.load(ids, middle * TodoIndexFormat.idSize) < first {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low == count ? nil : low * TodoIndexFormat.idSize
    }

    private func todo(row index: Int, _ id: TodoID) -> Todo? {
        let start = sections[Section.rows.rawValue].lowerBound + index * TodoIndexFormat.rowSize
        var piece = Piece(size: 0)
        guard let bytes = Self.read(descriptor, start..<start + TodoIndexFormat.rowSize),
            let row = bytes.withUnsafeBytes({ TodoIndexFormat.row($0, at: 0) }),
            let todo = todo(row.place, &piece), todo.id == id
        else { return nil }
        return todo
    }

    // MARK: Lists

    /// Reads the rows of all todos in the order of equally urgent ones.
    ///
    /// - Parameter readsTexts: whether the texts are needed.
    /// - Returns: the rows with their texts and dependencies, and the place of each; `nil` if the index is damaged.
    func table(readsTexts: Bool) -> (rows: [TodoRow], texts: [UInt8], links: [UUID], places: [TodoIndexFormat.Place])? {
        guard let bytes = bytes(.rows), let texts = readsTexts ? self.bytes(.texts) : [], let links = links()
        else { return nil }
        let textCount = sections[Section.texts.rawValue].count
        var rows: [TodoRow] = []
        var places: [TodoIndexFormat.Place] = []
        rows.reserveCapacity(count)
        places.reserveCapacity(count)
        let isIntact = bytes.withUnsafeBytes { bytes in
            for index in 0..<count {
                guard let row = TodoIndexFormat.row(bytes, at: index * TodoIndexFormat.rowSize),
                    row.row.text.upperBound <= textCount, row.row.dependencies.upperBound <= links.count
                else { return false }
                rows.append(row.row)
                places.append(row.place)
            }
            return true
        }
        return isIntact ? (rows, texts, links, places) : nil
    }

    /// Returns the UUIDs of the todos that must be done before others; `nil` if the index is damaged.
    func links() -> [UUID]? {
        bytes(.links)?.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - TodoIndexFormat.linkSize + 1, by: TodoIndexFormat.linkSize).map {
                TodoIndexFormat.uuid(bytes, at: $0)
            }
        }
    }

    /// Returns the plain lines of all todos, in which each row has a range.
    func lines() -> [UInt8]? { bytes(.lines) }

    /// A part of the JSON of all todos.
    struct Piece {
        fileprivate var start = 0
        fileprivate var bytes: [UInt8] = []
        /// The number of bytes that are read at once, if they contain the todo; 0 reads the todo alone.
        fileprivate let size: Int

        init(size: Int = 1 << 16) { self.size = size }
    }

    /// Returns the todo of a row.
    ///
    /// - Parameters:
    ///   - place: the place of the todo.
    ///   - piece: what was read for other rows; if the todo is not in it, it becomes the part that begins with the todo.
    /// - Returns: the todo; `nil` if the JSON is damaged.
    func todo(_ place: TodoIndexFormat.Place, _ piece: inout Piece) -> Todo? {
        let (start, end) = (place.json.lowerBound, place.json.upperBound)
        if start < piece.start || end > piece.start + piece.bytes.count {
            let section = sections[Section.json.rawValue]
            let pieceEnd = min(max(end, start + piece.size), section.count)
            guard end <= pieceEnd,
                let bytes = Self.read(descriptor, section.lowerBound + start..<section.lowerBound + pieceEnd)
            else { return nil }
            (piece.start, piece.bytes) = (start, bytes)
        }
        return piece.bytes.withUnsafeBytes { bytes in
            let text = UnsafeRawBufferPointer(rebasing: bytes[start - piece.start..<end - piece.start])
            return CRC32C.checksum(of: text) == place.checksum ? Todo.parse(text) : nil
        }
    }
}
