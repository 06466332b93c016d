#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The texts of many todos in lower case, in one block of memory, so that a key typed into a filter searches 100,000 todos
/// within a few milliseconds.
///
/// A search compares bytes of UTF-8. The texts of a todo are separated by NUL, which no query contains.
public final class TodoSearchText: Sendable {
    private let bytes: [UInt8]
    /// The offset of each todo's text, and the end of the last.
    private let offsets: [Int]

    /// Prepares the texts of todos, in their order.
    public init(_ todos: [Todo]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(todos.count * 48)
        var offsets: [Int] = []
        offsets.reserveCapacity(todos.count + 1)
        for todo in todos {
            offsets.append(bytes.count)
            for part in Self.parts(of: todo) {
                Self.appendLowercased(part, to: &bytes)
                bytes.append(0)
            }
        }
        offsets.append(bytes.count)
        self.bytes = bytes
        self.offsets = offsets
    }

    /// Calls `body` for the text of each todo, with its index.
    func forEach(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { buffer in
            for index in 0..<offsets.count - 1 {
                body(index, UnsafeRawBufferPointer(rebasing: buffer[offsets[index]..<offsets[index + 1]]))
            }
        }
    }

    /// The texts that a word without a field is searched in.
    static func parts(of todo: Todo) -> [String] {
        [todo.title] + (todo.note.map { [$0] } ?? []) + todo.projects + todo.contexts + todo.tags
    }

    /// Whether a text contains a needle in lower case, whatever the case of the text.
    static func contains(_ needle: String, in text: String) -> Bool {
        var bytes: [UInt8] = []
        appendLowercased(text, to: &bytes)
        return bytes.withUnsafeBytes { contains(needle, in: $0) }
    }

    static func contains(_ needle: String, in text: UnsafeRawBufferPointer) -> Bool {
        var needle = needle
        return needle.withUTF8 { wanted in
            guard let base = wanted.baseAddress, !wanted.isEmpty else { return true }
            guard let start = text.baseAddress, text.count >= wanted.count else { return false }
            var rest = start
            let end = start + (text.count - wanted.count + 1)
            while rest < end, let found = memchr(rest, Int32(wanted[0]), end - rest) {
                if memcmp(found, base, wanted.count) == 0 { return true }
                rest = UnsafeRawPointer(found) + 1
            }
            return false
        }
    }

    /// Appends a text in lower case. Text of ASCII and Hangul, which has no case, needs no new string.
    private static func appendLowercased(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        let start = bytes.count
        let isDone = text.withUTF8 { source in
            for byte in source {
                // The lead bytes C3 to DF and E1, E2, EF begin the letters that have case.
                guard byte < 0xC3 || (0xEA...0xED).contains(byte) else { return false }
                bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            }
            return true
        }
        guard !isDone else { return }
        bytes.removeSubrange(start...)
        bytes += text.lowercased().utf8
    }
}
