import SystemCalls

/// The objects of a property list that is being written, each with a number.
///
/// A scalar is written at once, as the bytes of the format; equal ones of the binary format, and equal keys, are one object. A
/// container refers to the numbers of its members, and the file is put together from the outermost object at the end, because
/// its order does not depend on that in which the members were added.
///
/// No method calls code of the client, so that none is entered while another one runs; checks of that took a third of the time.
final class PropertyListObjects {
    struct Object {
        enum Kind { case scalar, array, dictionary }

        let kind: Kind
        /// The place in ``bytes`` of a scalar, and in ``members`` of a container.
        let range: Range<Int>
    }

    struct Member {
        /// The number of the key; -1 in an array.
        var key: Int
        var value: Int
    }

    private static let hash = CacheHash()

    private let format: PropertyListFormat
    /// The bytes of the scalars.
    @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
    @exclusivity(unchecked) private(set) var objects: [Object] = []
    /// The members of the containers: those of a dictionary in the order of their keys.
    @exclusivity(unchecked) private(set) var members: [Member] = []
    /// A hash table of the scalars that are equal to no other, with linear probing: the number of each, plus 1, below the upper
    /// half of its hash.
    @exclusivity(unchecked) private var slots = [UInt64](repeating: 0, count: 64)
    @exclusivity(unchecked) private var slotsTaken = 0
    /// The key that followed one with this number modulo 64 the last time; -1 for none.
    @exclusivity(unchecked) private var followers = [Int](repeating: -1, count: 64)
    /// Empty arrays with memory, since most containers are small and short-lived.
    @exclusivity(unchecked) private var spare: [[Member]] = []

    init(_ format: PropertyListFormat) { self.format = format }

    /// Returns the bytes of the file whose outermost object is `top`.
    ///
    /// - Throws: ``PropertyListProblem`` if it is nested more than 128 deep.
    func file(top: Int) throws(PropertyListProblem) -> [UInt8] {
        switch format {
        case .binary: try BinaryPropertyListWriter.file(self, top: top)
        case .xml: try XMLPropertyListWriter.file(self, top: top)
        }
    }

    // MARK: Adding

    /// Adds a value with all that it contains.
    ///
    /// - Returns: its number.
    /// - Throws: ``PropertyListProblem`` for what the format cannot represent.
    func add(_ value: PropertyListValue, depth: Int = 0) throws(PropertyListProblem) -> Int {
        guard depth < PropertyListProblem.depthLimit else { throw .tooDeep }
        switch value {
        case .array(let values):
            var members: [Member] = []
            members.reserveCapacity(values.count)
            for value in values { members.append(Member(key: -1, value: try add(value, depth: depth + 1))) }
            return add(.array, members)
        case .dictionary(let values):
            var members: [Member] = []
            members.reserveCapacity(values.count)
            for (key, value) in values {
                members.append(Member(key: try add(key: key), value: try add(value, depth: depth + 1)))
            }
            return add(.dictionary, members)
        default:
            let start = bytes.count
            switch format {
            case .binary:
                BinaryPropertyListWriter.append(value, to: &bytes)
                return addOnce(start)
            case .xml:
                try XMLPropertyListWriter.append(value, to: &bytes)
                return add(.scalar, start..<bytes.count)
            }
        }
    }

    /// Adds a key of a dictionary.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - previous: the number of the key before it, after which the same key usually follows again; -1 for the first one.
    /// - Returns: its number.
    /// - Throws: ``PropertyListProblem`` for a key that the format cannot represent.
    func add(key: String, after previous: Int = -1) throws(PropertyListProblem) -> Int {
        let place = previous & (followers.count - 1)
        if isKey(followers[place], key) { return followers[place] }
        let number = try addNew(key: key)
        followers[place] = number
        return number
    }

    /// Returns whether a number is that of a key, as far as that is quickly known.
    private func isKey(_ number: Int, _ key: String) -> Bool {
        guard number >= 0 else { return false }
        var range = objects[number].range
        let isEqual = key.utf8.withContiguousStorageIfAvailable { key in
            switch format {
            case .binary:
                guard key.count < 15, bytes[range.lowerBound] == 0x50 | UInt8(key.count) else { return false }
                range = range.lowerBound + 1..<range.upperBound
            case .xml:
                // The bytes are escaped: those with an `&` are never the same as the text.
                guard !key.contains(UInt8(ascii: "&")) else { return false }
                range = textRange(range)
            }
            guard range.count == key.count else { return false }
            return bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress, let other = key.baseAddress else { return false }
                return memcmp(base + range.lowerBound, other, range.count) == 0
            }
        }
        return isEqual ?? false
    }

    private func addNew(key: String) throws(PropertyListProblem) -> Int {
        let start = bytes.count
        switch format {
        case .binary: BinaryPropertyListWriter.append(key, to: &bytes)
        case .xml: try XMLPropertyListWriter.append(key: key, to: &bytes)
        }
        return addOnce(start)
    }

    /// Adds a container. Of several members with one key, the last one counts.
    func add(_ kind: Object.Kind, _ added: [Member]) -> Int {
        let start = members.count
        members.append(contentsOf: added)
        if kind == .dictionary { sort(from: start) }
        return add(kind, start..<members.count)
    }

    private func add(_ kind: Object.Kind, _ range: Range<Int>) -> Int {
        objects.append(Object(kind: kind, range: range))
        return objects.count - 1
    }

    /// Adds the scalar that begins at `start`, unless there is an equal one.
    private func addOnce(_ start: Int) -> Int {
        let hash = bytes.withUnsafeBytes {
            UInt64(truncatingIfNeeded: Self.hash.hash(UnsafeRawBufferPointer(rebasing: $0[start...])).hash)
        }
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot] & 0xFFFF_FFFF) - 1
            if slots[slot] >> 32 == hash >> 32, isEqual(number, from: start) {
                bytes.removeLast(bytes.count - start)
                return number
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = add(.scalar, start..<bytes.count)
        // A file of four billion objects is written with the later ones more than once.
        guard number < UInt32.max else { return number }
        slots[slot] = hash & ~0xFFFF_FFFF | UInt64(number + 1)
        slotsTaken += 1
        if slotsTaken * 2 > slots.count { growTable() }
        return number
    }

    private func isEqual(_ number: Int, from start: Int) -> Bool {
        let range = objects[number].range
        guard range.count == bytes.count - start else { return false }
        return bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            return memcmp(base + range.lowerBound, base + start, range.count) == 0
        }
    }

    private func growTable() {
        var grown = [UInt64](repeating: 0, count: slots.count * 2)
        for entry in slots where entry != 0 {
            let range = objects[Int(entry & 0xFFFF_FFFF) - 1].range
            let hash = bytes.withUnsafeBytes { Self.hash.hash(UnsafeRawBufferPointer(rebasing: $0[range])).hash }
            var slot = Int(bitPattern: hash) & (grown.count - 1)
            while grown[slot] != 0 { slot = (slot + 1) & (grown.count - 1) }
            grown[slot] = entry
        }
        slots = grown
    }

    /// Returns an array for the members of a container that is being encoded.
    func emptyMembers() -> [Member] { spare.popLast() ?? [] }

    /// Takes the array of a container that has been added.
    func reuse(_ members: inout [Member]) {
        members.removeAll(keepingCapacity: true)
        spare.append(members)
        members = []
    }

    // MARK: Keys

    /// Sorts the members from `start` on by their keys, and removes all but the last one of each key.
    private func sort(from start: Int) {
        if members.count - start <= 16 {
            for index in members.indices.dropFirst(start + 1) {
                var place = index
                while place > start, precedes(members[place], members[place - 1]) {
                    members.swapAt(place, place - 1)
                    place -= 1
                }
            }
        } else {
            let order = members[start...].enumerated().sorted {
                precedes($0.element, $1.element) || $0.element.key == $1.element.key && $0.offset < $1.offset
            }
            members.replaceSubrange(start..., with: order.lazy.map(\.element))
        }
        var end = start
        for index in start..<members.count {
            if end > start, members[end - 1].key == members[index].key { end -= 1 }
            members[end] = members[index]
            end += 1
        }
        members.removeLast(members.count - end)
    }

    private func precedes(_ left: Member, _ right: Member) -> Bool {
        let (left, right) = (textRange(objects[left.key].range), textRange(objects[right.key].range))
        return bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            let order = memcmp(base + left.lowerBound, base + right.lowerBound, min(left.count, right.count))
            return order < 0 || order == 0 && left.count < right.count
        }
    }

    /// Returns the place of what is compared of a key.
    private func textRange(_ range: Range<Int>) -> Range<Int> {
        guard format == .xml else { return range }
        return range.lowerBound + "<key>".utf8.count..<range.upperBound - "</key>\n".utf8.count
    }
}
