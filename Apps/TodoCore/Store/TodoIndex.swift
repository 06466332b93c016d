import Checksums
import SystemCalls

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open index of a ``TodoBase``: it finds a todo by its ID, and prints a list, without reading the journal.
///
/// What is read is verified by checksums. A method that finds damage returns `nil`, and the caller reads the journal.
final class TodoIndex {
    /// The mark of the journal that was indexed.
    let mark: String
    /// The number of todos.
    let count: Int

    private let descriptor: Int32
    private let namesStart = TodoIndexFormat.headerSize
    private let rowsStart: Int
    private let linesStart: Int
    private let jsonStart: Int
    private let end: Int
    private let checksums: [UInt32]
    private var namesCache: [UInt8]?

    /// Opens an index; returns `nil` if it is missing, torn, of another format, or was made of another state of the journal.
    ///
    /// - Parameters:
    ///   - path: the path of the index.
    ///   - journalPath: the path of the journal.
    init?(_ path: String, journalPath: String) {
        guard let journal = try? POSIX.status(of: journalPath), let file = try? POSIX.open(path, Self.nonBlocking)
        else {
            return nil
        }
        // From here on, `deinit` closes the file.
        descriptor = file
        let status = try? POSIX.status(file)
        let header = Self.read(file, 0, TodoIndexFormat.headerSize) ?? []
        let parsed: (mark: String, journalSize: Int, count: Int, lines: Int, json: Int, checksums: [UInt32])? =
            header.withUnsafeBytes { bytes in
                guard bytes.count == TodoIndexFormat.headerSize else { return nil }
                let stored = TodoIndexFormat.load(UInt32.self, bytes, 68)
                let body = UnsafeRawBufferPointer(rebasing: bytes[..<68])
                guard header.starts(with: TodoIndexFormat.magic), CRC32C.checksum(of: body) == stored else {
                    return nil
                }
                return (
                    TodoIndexFormat.name(bytes, at: 8), Int(TodoIndexFormat.load(Int64.self, bytes, 24)),
                    Int(TodoIndexFormat.load(UInt32.self, bytes, 32)), Int(TodoIndexFormat.load(Int64.self, bytes, 40)),
                    Int(TodoIndexFormat.load(Int64.self, bytes, 48)),
                    (0..<3).map { TodoIndexFormat.load(UInt32.self, bytes, 56 + 4 * $0) }
                )
            }
        mark = parsed?.mark ?? ""
        count = parsed?.count ?? 0
        checksums = parsed?.checksums ?? []
        rowsStart = namesStart + count * TodoIndexFormat.nameSize
        linesStart = rowsStart + count * TodoIndexFormat.rowSize
        jsonStart = linesStart + (parsed?.lines ?? 0)
        end = jsonStart + (parsed?.json ?? 0)
        guard let parsed, parsed.journalSize == journal.size, end == status?.size, status?.kind == .regular else {
            return nil
        }
    }

    deinit { POSIX.close(descriptor) }

    /// A FIFO in the place of the file must not block.
    private static let nonBlocking = O_RDONLY | O_NONBLOCK

    private static func read(_ descriptor: Int32, _ start: Int, _ count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = (try? POSIX.readAll(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: start)) ?? 0
        }
        return bytes.count == count ? bytes : nil
    }

    /// Reads a section and verifies its checksum.
    private func section(_ start: Int, _ end: Int, _ checksum: UInt32) -> [UInt8]? {
        guard let bytes = Self.read(descriptor, start, end - start), CRC32C.checksum(of: bytes) == checksum else {
            return nil
        }
        return bytes
    }

    private func names() -> [UInt8]? {
        if let namesCache { return namesCache }
        namesCache = section(namesStart, rowsStart, checksums[0])
        return namesCache
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
        guard let names = names() else { return .damaged }
        return names.withUnsafeBytes { bytes in
            guard let place = position(id.description, bytes), TodoIndexFormat.name(bytes, at: place) == id.description
            else { return .absent }
            let row = Int(TodoIndexFormat.load(UInt32.self, bytes, place + 16))
            guard row < count, let todo = todo(row: row, id) else { return .damaged }
            return .found(todo)
        }
    }

    /// Returns the IDs that begin with a text; at most `limit`.
    func ids(prefix: String, limit: Int) -> [TodoID]? {
        guard let names = names() else { return nil }
        return names.withUnsafeBytes { bytes in
            guard var place = position(prefix, bytes) else { return [] }
            var ids: [TodoID] = []
            while place < bytes.count, ids.count < limit {
                let name = TodoIndexFormat.name(bytes, at: place)
                guard name.hasPrefix(prefix) else { break }
                guard let id = TodoID(name) else { return nil }
                ids.append(id)
                place += TodoIndexFormat.nameSize
            }
            return ids
        }
    }

    /// Returns the offset of the first name that is not less than a text; `nil` if there is none.
    private func position(_ text: String, _ names: UnsafeRawBufferPointer) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if TodoIndexFormat.name(names, at: middle * TodoIndexFormat.nameSize) < text {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low == count ? nil : low * TodoIndexFormat.nameSize
    }

    private func todo(row index: Int, _ id: TodoID) -> Todo? {
        let start = rowsStart + index * TodoIndexFormat.rowSize
        guard let bytes = Self.read(descriptor, start, TodoIndexFormat.rowSize),
            let row = bytes.withUnsafeBytes({ TodoIndexFormat.row($0, at: 0) }),
            let json = Self.read(descriptor, jsonStart + row.json.lowerBound, row.json.count),
            CRC32C.checksum(of: json) == row.checksum, let todo = TodoReader.decode(json), todo.id == id
        else { return nil }
        return todo
    }

    /// Returns all todos in display order, without those that `isReplaced` returns true for.
    func todos(isReplaced: (TodoID) -> Bool) -> [Todo]? {
        guard let rows = section(rowsStart, linesStart, checksums[1]),
            let json = Self.read(descriptor, jsonStart, end - jsonStart)
        else { return nil }
        var todos: [Todo] = []
        todos.reserveCapacity(count)
        let isIntact = rows.withUnsafeBytes { rows in
            json.withUnsafeBytes { json in
                for index in 0..<count {
                    guard let row = TodoIndexFormat.row(rows, at: index * TodoIndexFormat.rowSize),
                        row.json.upperBound <= json.count
                    else { return false }
                    let text = UnsafeRawBufferPointer(rebasing: json[row.json])
                    guard CRC32C.checksum(of: text) == row.checksum else { return false }
                    if isReplaced(row.id) { continue }
                    guard let todo = TodoReader.decode(text) else { return false }
                    todos.append(todo)
                }
                return true
            }
        }
        return isIntact ? todos : nil
    }

    // MARK: Lists

    /// Returns the plain lines of todos in display order, joined with those of other todos.
    ///
    /// - Parameters:
    ///   - recent: todos that are not in the index or replace some there, in display order.
    ///   - replaced: the IDs of all todos in the index that were changed or removed.
    ///   - isShown: whether a todo is listed, by its row.
    /// - Returns: the lines in UTF-8, or `nil` if the index is damaged.
    func lines(
        with recent: [(key: TodoOrderKey, line: [UInt8])],
        replacing replaced: Set<TodoID>,
        where isShown: (TodoIndexFormat.Flags) -> Bool
    ) -> [UInt8]? {
        guard let names = replaced.isEmpty ? [] : names(), let rows = section(rowsStart, linesStart, checksums[1]),
            let lines = section(linesStart, jsonStart, checksums[2])
        else { return nil }
        var isHidden = [Bool](repeating: false, count: count)
        names.withUnsafeBytes { bytes in
            for id in replaced {
                guard let place = position(id.description, bytes),
                    TodoIndexFormat.name(bytes, at: place) == id.description
                else { continue }
                let row = Int(TodoIndexFormat.load(UInt32.self, bytes, place + 16))
                if row < count { isHidden[row] = true }
            }
        }
        var output: [UInt8] = []
        output.reserveCapacity(lines.count + recent.reduce(0) { $0 + $1.line.count })
        let isIntact = rows.withUnsafeBytes { rows in
            lines.withUnsafeBytes { lines in
                var start = 0
                // The rows before each recent todo, found by bisection.
                for (key, line) in recent {
                    let end = Self.firstRow(notBefore: key, rows, start..<count)
                    guard let end else { return false }
                    guard append(start..<end, rows, lines, isHidden, isShown, to: &output) else { return false }
                    output += line
                    start = end
                }
                return append(start..<count, rows, lines, isHidden, isShown, to: &output)
            }
        }
        return isIntact ? output : nil
    }

    private func append(
        _ range: Range<Int>,
        _ rows: UnsafeRawBufferPointer,
        _ lines: UnsafeRawBufferPointer,
        _ isHidden: [Bool],
        _ isShown: (TodoIndexFormat.Flags) -> Bool,
        to output: inout [UInt8]
    ) -> Bool {
        for index in range {
            let flags = TodoIndexFormat.Flags(rows, at: index * TodoIndexFormat.rowSize)
            guard flags.line.upperBound <= lines.count else { return false }
            if isHidden[index] || !isShown(flags) { continue }
            output += lines[flags.line]
        }
        return true
    }

    private static func firstRow(
        notBefore key: TodoOrderKey,
        _ rows: UnsafeRawBufferPointer,
        _ range: Range<Int>
    ) -> Int? {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            guard let row = TodoIndexFormat.row(rows, at: middle * TodoIndexFormat.rowSize) else { return nil }
            if TodoOrderKey(row) < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension TodoIndexFormat {
    /// The values of a row that decide whether a todo is listed.
    struct Flags {
        let isDone: Bool
        let isArchived: Bool
        /// The number of the threshold day, or a very low number.
        let threshold: Int
        let line: Range<Int>

        init(_ rows: UnsafeRawBufferPointer, at offset: Int) {
            isDone = rows[offset + 16] & 1 != 0
            isArchived = rows[offset + 16] & 2 != 0
            threshold = Int(load(Int32.self, rows, offset + 24))
            let start = Int(load(UInt32.self, rows, offset + 48))
            line = start..<start + Int(load(UInt32.self, rows, offset + 52))
        }
    }
}
