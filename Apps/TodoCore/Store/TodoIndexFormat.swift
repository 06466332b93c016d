import Checksums

/// The bytes of the index of a ``TodoBase``. All numbers are little-endian.
///
/// The header of ``headerSize`` bytes:
///
///     0   8   "PawIndx" and the version of the format
///     8   16  the mark of the journal, filled with zeros
///     24  8   the size of the journal's file
///     32  8   the number of todos
///     40  32  the sizes of the texts, the lines, the links and the JSON
///     72  20  CRC-32C of the IDs, the rows, the texts, the lines and the links
///     92  4   CRC-32C of bytes 0 to 91
///
/// Six sections follow:
///
/// - IDs: for each todo, by ID, the bits of the ID (8 bytes) and the number of its row (4);
/// - rows: for each todo, ordered as equally urgent ones are, ``rowSize`` bytes, see ``Row``;
/// - texts: what queries search, see ``TodoRow``;
/// - lines: the plain line of each todo, as a list prints it;
/// - links: the UUIDs of the todos that must be done before others (16 bytes each);
/// - JSON: each todo as the journal contains it, with the checksum in its row.
enum TodoIndexFormat {
    static let magic: [UInt8] = Array("PawIndx".utf8) + [6]
    static let headerSize = 96
    static let idSize = 12
    static let rowSize = 108
    static let linkSize = 16
    static let markSize = 16

    /// Where the line and the JSON of a todo are.
    struct Place {
        var line: Range<Int>
        var json: Range<Int>
        /// The CRC-32C of the JSON.
        var checksum: UInt32
    }

    /// The values of a todo that lists require.
    struct Row {
        var row: TodoRow
        var place: Place
    }

    /// Returns the header and the sections of an index.
    ///
    /// - Parameters:
    ///   - todos: the todos with their JSON.
    ///   - mark: the mark of the journal.
    ///   - journalSize: the size of the journal's file.
    /// - Returns: their bytes, in the order of the file, or `nil` if the todos cannot be represented.
    static func sections(_ todos: [(todo: Todo, json: [UInt8])], mark: String, journalSize: Int) -> [[UInt8]]? {
        guard mark.utf8.count <= markSize else { return nil }
        let unsorted = todos.map { TodoRow($0.todo) }
        let order = unsorted.indices.sorted { unsorted[$0] < unsorted[$1] }
        let line = TodoLine(isStyled: false, today: Day(number: 0))
        var ids: [(id: TodoID, row: UInt32)] = []
        var rows: [UInt8] = []
        var texts: [UInt8] = []
        var lines: [UInt8] = []
        var links: [UUID] = []
        var json: [UInt8] = []
        ids.reserveCapacity(todos.count)
        rows.reserveCapacity(todos.count * rowSize)
        json.reserveCapacity(todos.reduce(0) { $0 + $1.json.count })
        for index in order {
            let (todo, bytes) = todos[index]
            ids.append((todo.id, UInt32(ids.count)))
            let (lineStart, jsonStart) = (lines.count, json.count)
            var row = unsorted[index]
            row.append(todo, to: &texts, links: &links)
            lines += line.text(for: todo).utf8
            lines.append(0x0A)
            json += bytes
            append(
                Row(
                    row: row,
                    place: Place(
                        line: lineStart..<lines.count,
                        json: jsonStart..<json.count,
                        checksum: CRC32C.checksum(of: bytes)
                    )
                ),
                to: &rows
            )
        }
        guard max(texts.count, lines.count, json.count) < Int(UInt32.max) else { return nil }
        var sortedIDs: [UInt8] = []
        sortedIDs.reserveCapacity(todos.count * idSize)
        for (id, row) in ids.sorted(by: { $0.id < $1.id }) {
            append(id.bits, to: &sortedIDs)
            append(row, to: &sortedIDs)
        }
        let linkBytes = links.flatMap { bytes(of: $0) }
        var header = magic
        header += mark.utf8
        header += repeatElement(0, count: markSize - mark.utf8.count)
        for size in [journalSize, todos.count, texts.count, lines.count, linkBytes.count, json.count] {
            append(size, to: &header)
        }
        for section in [sortedIDs, rows, texts, lines, linkBytes] {
            append(CRC32C.checksum(of: section), to: &header)
        }
        append(CRC32C.checksum(of: header), to: &header)
        return [header, sortedIDs, rows, texts, lines, linkBytes, json]
    }

    private static func append(_ row: Row, to bytes: inout [UInt8]) {
        let todo = row.row
        append(todo.id.bits, to: &bytes)
        append(todo.parent?.bits ?? 0, to: &bytes)
        append(todo.flags.rawValue, to: &bytes)
        bytes += [todo.rank, todo.labelCount]
        append(todo.dueMinutes, to: &bytes)
        bytes += [todo.noteCount, 0]
        append(todo.due, to: &bytes)
        append(todo.threshold, to: &bytes)
        for time in [todo.created, todo.modified, todo.completed] { append(time.bitPattern, to: &bytes) }
        for range in [todo.text, row.place.line, row.place.json] { append(range, to: &bytes) }
        append(row.place.checksum, to: &bytes)
        withUnsafeBytes(of: todo.uuid.uuid) { bytes += $0 }
        append(todo.dependencies, to: &bytes)
    }

    /// Returns a row; `nil` if its ID is malformed.
    static func row(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Row? {
        guard let id = TodoID(bits: load(bytes, offset)) else { return nil }
        func double(_ place: Int) -> Double { Double(bitPattern: load(bytes, offset + place)) }
        func range(_ place: Int) -> Range<Int> {
            let start: UInt32 = load(bytes, offset + place)
            let count: UInt32 = load(bytes, offset + place + 4)
            return Int(start)..<Int(start) + Int(count)
        }
        let row = TodoRow(
            id: id,
            parent: TodoID(bits: load(bytes, offset + 8)),
            flags: TodoRow.Flags(rawValue: load(bytes, offset + 16)),
            rank: bytes[offset + 18],
            labelCount: bytes[offset + 19],
            noteCount: bytes[offset + 22],
            due: load(bytes, offset + 24),
            dueMinutes: load(bytes, offset + 20),
            threshold: load(bytes, offset + 28),
            created: double(32),
            modified: double(40),
            completed: double(48),
            text: range(56),
            uuid: uuid(bytes, at: offset + 84),
            dependencies: range(100)
        )
        let place = Place(line: range(64), json: range(72), checksum: load(bytes, offset + 80))
        return Row(row: row, place: place)
    }

    /// Returns a UUID of 16 bytes.
    static func uuid(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UUID {
        UUID(uuid: bytes.loadUnaligned(fromByteOffset: offset, as: uuid_t.self))
    }

    private static func bytes(of uuid: UUID) -> [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }

    /// Returns a mark, which zeros fill.
    static func mark(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
        String(decoding: bytes[offset..<offset + markSize].prefix { $0 != 0 }, as: UTF8.self)
    }

    static func load<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Number {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    private static func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
        append(UInt32(range.lowerBound), to: &bytes)
        append(UInt32(range.count), to: &bytes)
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
}
