import EssentialFoundation

/// Encodes a value to the objects of a property list. As in Foundation's encoder, `nil` is the string `$null`.
struct PropertyListEncoding: Encoder {
    static let null = PropertyListValue.string("$null")

    private let node: Node

    var codingPath: [any CodingKey] { CodingPath.keys(node) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the bytes of a value.
    ///
    /// - Throws: `EncodingError`, the errors of the value's `encode(to:)`, and ``PropertyListProblem`` for what the format
    ///   cannot represent.
    static func bytes(of value: some Encodable, as format: PropertyListFormat) throws -> [UInt8] {
        let objects = PropertyListObjects(format)
        let top = try Node(nil, in: nil, objects).add(value, nil)
        return try objects.file(top: top)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if node.kind != .dictionary { node.reset(.dictionary) }
        return KeyedEncodingContainer(Keyed(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if node.kind == .scalar { node.reset(.array) }
        return Unkeyed(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }

    /// A value that is being encoded, which its containers share, with its path.
    private final class Node: CodingPath {
        let objects: PropertyListObjects
        private let depth: Int
        @exclusivity(unchecked) private(set) var kind = PropertyListObjects.Object.Kind.scalar
        /// The number of a value that is no container.
        @exclusivity(unchecked) var scalar: Int?
        /// The members of a container. The value of one that may still change is -1 minus its index in `nested`.
        @exclusivity(unchecked) private(set) var members: [PropertyListObjects.Member] = []
        @exclusivity(unchecked) private var nested: [Node] = []
        /// The index in `nested` of the last member of each key that has one there.
        @exclusivity(unchecked) private var places: [Int: Int] = [:]
        /// The error of a key that the format cannot represent.
        @exclusivity(unchecked) private var failure: (any Error)?

        init(_ key: (any CodingKey)?, in outer: Node?, _ objects: PropertyListObjects) {
            self.objects = objects
            depth = outer.map { $0.depth + 1 } ?? 0
            super.init(key, in: outer)
        }

        /// Begins a container.
        func reset(_ kind: PropertyListObjects.Object.Kind) {
            self.kind = kind
            members = objects.emptyMembers()
        }

        /// Appends a member; one without a key to an array.
        func append(_ value: Int, _ key: Int = -1) {
            if (key < 0) == (kind == .array) { members.append(PropertyListObjects.Member(key: key, value: value)) }
        }

        /// Returns the number of a key, which follows that of the last member.
        func number(of key: String) throws(PropertyListProblem) -> Int {
            try objects.add(key: key, after: members.last?.key ?? -1)
        }

        /// Appends a member that may change until the end.
        ///
        /// - Parameters:
        ///   - key: its key.
        ///   - continued: the kind of the container that is continued if the key has one, as in Foundation; `nil` for none.
        /// - Returns: the member.
        func appendNested(_ key: any CodingKey, continuing continued: PropertyListObjects.Object.Kind? = nil) -> Node {
            var number = -1
            if kind == .dictionary { do { number = try objects.add(key: key.stringValue) } catch { failure = error } }
            if let place = places[number], nested[place].kind == continued { return nested[place] }
            let node = Node(key, in: self, objects)
            if number >= 0 { places[number] = nested.count }
            nested.append(node)
            append(-nested.count, number)
            return node
        }

        /// Adds a value, which has the path of this one and a key.
        ///
        /// - Returns: its number.
        func add<Value: Encodable>(_ value: Value, _ key: @autoclosure () -> (any CodingKey)? = nil) throws -> Int {
            if let scalar = Self.scalar(value) { return try objects.add(scalar) }
            // Values that are encoded as another one are not nested, and a few of them may follow each other.
            guard depth < 4 * PropertyListProblem.depthLimit else { throw PropertyListProblem.tooDeep }
            let node = Node(key(), in: self, objects)
            defer { node.releaseNested() }
            try value.encode(to: PropertyListEncoding(node: node))
            if let number = try node.finish() { return number }
            throw node.error(value, "it encodes nothing")
        }

        private static func scalar<Value>(_ value: Value) -> PropertyListValue? {
            // A cast of the same type is many times as slow in a generic function.
            if Value.self == String.self { return .string(unsafeBitCast(value, to: String.self)) }
            if Value.self == Int.self { return .integer(Int64(unsafeBitCast(value, to: Int.self))) }
            if Value.self == Double.self { return .real(unsafeBitCast(value, to: Double.self)) }
            if Value.self == Bool.self { return .bool(unsafeBitCast(value, to: Bool.self)) }
            if Value.self == Date.self { return .date(unsafeBitCast(value, to: Date.self)) }
            if Value.self == Data.self { return .data(unsafeBitCast(value, to: Data.self)) }
            return nil
        }

        /// Adds the value itself, after it has been encoded.
        ///
        /// - Returns: its number, or `nil` if nothing was encoded.
        private func finish() throws -> Int? {
            if let failure { throw failure }
            if kind == .scalar { return scalar }
            if !nested.isEmpty {
                for index in members.indices where members[index].value < 0 {
                    let number = try nested[-1 - members[index].value].finish()
                    members[index].value = number ?? objects.add(.dictionary, [])
                }
            }
            defer { objects.reuse(&members) }
            return objects.add(kind, members)
        }

        /// Ends the references to the nested values, which refer to this one for their path.
        private func releaseNested() {
            for node in nested { node.releaseNested() }
            nested = []
        }

        func error(_ value: Any, _ problem: String) -> EncodingError {
            .invalidValue(value, .init(codingPath: Self.keys(self), debugDescription: problem))
        }
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: Node
        var codingPath: [any CodingKey] { CodingPath.keys(node) }

        private func append(_ value: PropertyListValue, _ key: Key) throws {
            let number = try node.number(of: key.stringValue)
            node.append(try node.objects.add(value), number)
        }

        func encodeNil(forKey key: Key) throws { try append(null, key) }
        func encode(_ value: String, forKey key: Key) throws { try append(.string(value), key) }
        func encode(_ value: Int, forKey key: Key) throws { try append(.integer(Int64(value)), key) }
        func encode(_ value: Double, forKey key: Key) throws { try append(.real(value), key) }
        func encode(_ value: Bool, forKey key: Key) throws { try append(.bool(value), key) }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            let number = try node.number(of: key.stringValue)
            node.append(try node.add(value, key), number)
        }

        private func nested(
            _ key: any CodingKey,
            continuing continued: PropertyListObjects.Object.Kind? = nil
        ) -> PropertyListEncoding {
            PropertyListEncoding(node: node.appendNested(key, continuing: continued))
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { nested(key, continuing: .dictionary).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            nested(key, continuing: .array).unkeyedContainer()
        }
        func superEncoder() -> any Encoder { nested(CodingPath.Step.superclass) }
        func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let node: Node
        var codingPath: [any CodingKey] { CodingPath.keys(node) }
        var count: Int { node.members.count }

        func encodeNil() throws { node.append(try node.objects.add(null)) }

        func encode<Value: Encodable>(_ value: Value) throws {
            node.append(try node.add(value, CodingPath.Step.index(count)))
        }

        private func nested() -> PropertyListEncoding {
            PropertyListEncoding(node: node.appendNested(CodingPath.Step.index(count)))
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            nested().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
        func superEncoder() -> any Encoder { nested() }
    }

    private struct Single: SingleValueEncodingContainer {
        let node: Node
        var codingPath: [any CodingKey] { CodingPath.keys(node) }

        func encodeNil() throws { node.scalar = try node.objects.add(null) }

        func encode<Value: Encodable>(_ value: Value) throws {
            if let value = value as? Float {
                node.scalar = try node.objects.add(.real(Double(value)))
            } else if let value = value as? any FixedWidthInteger {
                node.scalar = try node.objects.add(integer(value))
            } else {
                node.scalar = try node.add(value)
            }
        }

        private func integer(_ value: some FixedWidthInteger) throws -> PropertyListValue {
            if let value = Int64(exactly: value) { return .integer(value) }
            if let value = UInt64(exactly: value) { return .unsigned(value) }
            throw node.error(value, "it needs more than 64 bits")
        }
    }
}
