import TextEscaping

/// Writes JSON text without an encoder.
package enum JSONText {
    /// Returns a string in quotation marks, in UTF-8: byte for byte the output of `JSONEncoder` with
    /// `.withoutEscapingSlashes`.
    package static func quoted(_ text: String) -> [UInt8] {
        var buffer = JSONBuffer()
        buffer.append(quoted: text)
        return buffer.bytes
    }

    /// Returns the index of the first byte that must be escaped, searching eight bytes at a time.
    static func firstEscape(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        func hasByte(below limit: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* limit) & ~word & (ones << 7) }
        var index = start
        while index + 8 <= bytes.count {
            let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quotes = hasByte(below: 1, word ^ (ones &* UInt64(UInt8(ascii: "\""))))
            let slashes = hasByte(below: 1, word ^ (ones &* UInt64(UInt8(ascii: "\\"))))
            guard hasByte(below: 0x20, word) | quotes | slashes == 0 else { break }
            index += 8
        }
        while index < bytes.count {
            if needsEscape(bytes[index]) { return index }
            index += 1
        }
        return nil
    }

    /// Returns whether what `JSONEncoder` has written contains `NaN`, its text of the `Decimal` that is not a number: no reader
    /// accepts it.
    package static func hasNaN(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let bytes = bytes.bindMemory(to: UInt8.self)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "N") { return true }
            if bytes[index] == UInt8(ascii: "\"") {
                var end = firstEscape(in: bytes, from: index + 1)
                while let place = end, bytes[place] == UInt8(ascii: "\\") {
                    end = firstEscape(in: bytes, from: place + 2)
                }
                index = end ?? bytes.count
            }
            index += 1
        }
        return false
    }

    fileprivate static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}

/// Text of JSON that grows. Its many short pieces are copied to their place without the checks of an array.
struct JSONBuffer: ~Copyable {
    private(set) var count = 0
    private var capacity = 512
    private var start = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)

    deinit { start.deallocate() }

    /// The text, in UTF-8.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Calls a closure with the text, forgets the text, and retains the memory.
    mutating func removeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        defer { count = 0 }
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        end(reserving: 1).pointee = byte
        count += 1
    }

    /// Appends a line break and spaces.
    mutating func appendLine(indentation: Int) {
        let place = end(reserving: 1 + indentation)
        place.pointee = UInt8(ascii: "\n")
        (place + 1).update(repeating: UInt8(ascii: " "), count: indentation)
        count += 1 + indentation
    }

    mutating func append(literal text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the name of a member, and what is around it up to the value, in one piece.
    ///
    /// - Parameters:
    ///   - name: the name, which needs no escapes.
    ///   - isFirst: whether no member is before it.
    ///   - indentation: the number of spaces before it; `nil` if it is not on a separate line.
    mutating func append(member name: StaticString, isFirst: Bool, indentation: Int?) {
        let size = name.utf8CodeUnitCount
        let begin = end(reserving: size + (indentation ?? 0) + 7)
        var place = begin
        func put(_ byte: UInt8) {
            place.pointee = byte
            place += 1
        }
        if !isFirst { put(UInt8(ascii: ",")) }
        if let indentation {
            put(UInt8(ascii: "\n"))
            place.update(repeating: UInt8(ascii: " "), count: indentation)
            place += indentation
        }
        put(UInt8(ascii: "\""))
        place.update(from: name.utf8Start, count: size)
        place += size
        put(UInt8(ascii: "\""))
        if indentation != nil { put(UInt8(ascii: " ")) }
        put(UInt8(ascii: ":"))
        if indentation != nil { put(UInt8(ascii: " ")) }
        count += place - begin
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends a string in quotation marks.
    mutating func append(quoted text: String) {
        var text = text
        text.withUTF8 { source in
            // Most strings are short: they are copied while they are searched.
            if source.count <= 32 {
                let place = end(reserving: source.count + 2)
                var index = 0
                while index < source.count, !JSONText.needsEscape(source[index]) {
                    place[1 + index] = source[index]
                    index += 1
                }
                if index == source.count {
                    (place[0], place[1 + index]) = (UInt8(ascii: "\""), UInt8(ascii: "\""))
                    return count += source.count + 2
                }
            }
            append(UInt8(ascii: "\""))
            var start = 0
            while let index = JSONText.firstEscape(in: source, from: start) {
                append(UnsafeBufferPointer(rebasing: source[start..<index]))
                append(escapeOf: source[index])
                start = index + 1
            }
            append(UnsafeBufferPointer(rebasing: source[start...]))
            append(UInt8(ascii: "\""))
        }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        end(reserving: bytes.count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    /// Returns the place of the next bytes.
    @inline(__always)
    private mutating func end(reserving size: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < size { grow(by: size) }
        return start + count
    }

    private mutating func grow(by size: Int) {
        capacity = max(2 * capacity, count + size)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        grown.update(from: start, count: count)
        start.deallocate()
        start = grown
    }

    private mutating func append(escapeOf byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default: append("u" + Hexadecimal.string(of: byte, digits: 4))
        }
    }
}
