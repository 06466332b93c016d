import Checksums

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of the index of a ``TodoBase``. All numbers are little-endian.
///
/// The header of ``headerSize`` bytes:
///
///     0   8   "PawIndx" and the version of the format
///     8   16  the mark of the journal, filled with zeros
///     24  8   the size of the journal's file
///     32  4   the number of todos
///     36  4   zero
///     40  8   the sizes of the lines and of the JSON
///     56  12  CRC-32C of the names, the rows and the lines
///     68  4   CRC-32C of bytes 0 to 67
///
/// Four sections follow:
///
/// - names: for each todo, by ID, the ID filled with zeros (16 bytes) and the number of its row (4);
/// - rows: for each todo, in display order, ``rowSize`` bytes, see ``Row``;
/// - lines: the plain line of each todo, as a list prints it;
/// - JSON: each todo as the journal contains it, with the checksum in its row.
enum TodoIndexFormat {
    static let magic: [UInt8] = Array("PawIndx".utf8) + [1]
    static let headerSize = 72
    static let nameSize = 20
    static let rowSize = 64
    static let markSize = 16

    /// The values of a todo that lists require.
    struct Row {
        var id: TodoID
        var isDone: Bool
        var isArchived: Bool
        var rank: UInt8
        /// The day numbers; `nil` for none.
        var due: Int?
        var threshold: Int?
        var created: Double
        /// The time of completion in seconds after the reference date; `nil` while it is open.
        var completed: Double?
        var line: Range<Int>
        var json: Range<Int>
        var checksum: UInt32
    }

    /// Writes an index.
    ///
    /// - Parameters:
    ///   - todos: the todos with their JSON.
    ///   - mark: the mark of the journal.
    ///   - journalSize: the size of the journal's file.
    /// - Returns: the bytes, or `nil` if the todos cannot be represented.
    static func bytes(_ todos: [(todo: Todo, json: [UInt8])], mark: String, journalSize: Int) -> [UInt8]? {
        guard mark.utf8.count <= markSize, todos.allSatisfy({ $0.todo.id.description.utf8.count <= 16 }) else {
            return nil
        }
        let order = todos.indices.map { TodoOrderKey(todos[$0].todo, index: $0) }.sorted().map(\.index)
        let line = TodoLine(isStyled: false, today: Day(number: 0))
        var rows: [UInt8] = []
        var lines: [UInt8] = []
        var json: [UInt8] = []
        rows.reserveCapacity(todos.count * rowSize)
        for index in order {
            let (todo, text) = todos[index]
            let lineStart = lines.count
            lines += line.text(for: todo).utf8
            lines.append(0x0A)
            let row = Row(
                id: todo.id,
                isDone: todo.isDone,
                isArchived: todo.isArchived,
                rank: todo.priority?.rank ?? .max,
                due: todo.due?.number,
                threshold: todo.threshold?.number,
                created: todo.created.timeIntervalSinceReferenceDate,
                completed: todo.completed?.timeIntervalSinceReferenceDate,
                line: lineStart..<lines.count,
                json: json.count..<json.count + text.count,
                checksum: CRC32C.checksum(of: text)
            )
            append(row, to: &rows)
            json += text
        }
        guard lines.count < Int(UInt32.max), json.count < Int(UInt32.max) else { return nil }
        var names: [UInt8] = []
        names.reserveCapacity(todos.count * nameSize)
        let byName = order.enumerated().map { (todos[$1].todo.id.description, $0) }.sorted { $0.0 < $1.0 }
        for (name, row) in byName {
            names += padded(name, to: 16)
            append(UInt32(row), to: &names)
        }
        var header = magic + padded(mark, to: markSize)
        append(UInt64(journalSize), to: &header)
        append(UInt32(todos.count), to: &header)
        append(UInt32(0), to: &header)
        append(UInt64(lines.count), to: &header)
        append(UInt64(json.count), to: &header)
        for section in [names, rows, lines] { append(CRC32C.checksum(of: section), to: &header) }
        append(CRC32C.checksum(of: header), to: &header)
        return header + names + rows + lines + json
    }

    private static func append(_ row: Row, to bytes: inout [UInt8]) {
        bytes += padded(row.id.description, to: 16)
        bytes.append((row.isDone ? 1 : 0) | (row.isArchived ? 2 : 0))
        bytes += [row.rank, 0, 0]
        append(Int32(clamping: row.due ?? Int(Int32.max)), to: &bytes)
        append(Int32(clamping: row.threshold ?? Int(Int32.min)), to: &bytes)
        append(row.checksum, to: &bytes)
        append(row.created.bitPattern, to: &bytes)
        append((row.completed ?? .infinity).bitPattern, to: &bytes)
        append(UInt32(row.line.lowerBound), to: &bytes)
        append(UInt32(row.line.count), to: &bytes)
        append(UInt32(row.json.lowerBound), to: &bytes)
        append(UInt32(row.json.count), to: &bytes)
    }

    /// Returns a row; `nil` if its ID is malformed.
    static func row(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Row? {
        guard let id = TodoID(name(bytes, at: offset)) else { return nil }
        let due = Int(load(Int32.self, bytes, offset + 20))
        let threshold = Int(load(Int32.self, bytes, offset + 24))
        let completed = Double(bitPattern: load(UInt64.self, bytes, offset + 40))
        let line = Int(load(UInt32.self, bytes, offset + 48))
        let json = Int(load(UInt32.self, bytes, offset + 56))
        return Row(
            id: id,
            isDone: bytes[offset + 16] & 1 != 0,
            isArchived: bytes[offset + 16] & 2 != 0,
            rank: bytes[offset + 17],
            due: due == Int(Int32.max) ? nil : due,
            threshold: threshold == Int(Int32.min) ? nil : threshold,
            created: Double(bitPattern: load(UInt64.self, bytes, offset + 32)),
            completed: completed == .infinity ? nil : completed,
            line: line..<line + Int(load(UInt32.self, bytes, offset + 52)),
            json: json..<json + Int(load(UInt32.self, bytes, offset + 60)),
            checksum: load(UInt32.self, bytes, offset + 28)
        )
    }

    /// Returns a text that zeros fill to 16 bytes.
    static func name(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 16].prefix { $0 != 0 }, as: UTF8.self)
    }

    static func load<Number: FixedWidthInteger>(_ type: Number.Type, _ bytes: UnsafeRawBufferPointer, _ offset: Int)
        -> Number
    {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    private static func padded(_ text: String, to size: Int) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(size))
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }
}
