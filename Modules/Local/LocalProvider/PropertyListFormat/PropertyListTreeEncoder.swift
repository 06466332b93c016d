import EssentialFoundation

/// Encodes values as trees. As in Foundation's encoder, `nil` is the string `$null`.
struct PropertyListTreeEncoder: Encoder {
    static let null = PropertyListValue.string("$null")

    fileprivate let node = Node()
    fileprivate let path: CodingPath?

    var codingPath: [any CodingKey] { CodingPath.keys(path) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the tree of a value.
    ///
    /// - Throws: `EncodingError`, and the errors of the value's `encode(to:)`.
    static func tree<Value: Encodable>(
        of value: Value,
        at path: @autoclosure () -> CodingPath? = nil
    ) throws -> PropertyListValue {
        // The types are compared before the cast: a failing cast is slower.
        if Value.self == String.self, let value = value as? String { return .string(value) }
        if Value.self == Int.self, let value = value as? Int { return .integer(Int64(value)) }
        if Value.self == Bool.self, let value = value as? Bool { return .bool(value) }
        if Value.self == Double.self, let value = value as? Double { return .real(value) }
        if Value.self == Date.self, let value = value as? Date { return .date(value) }
        if Value.self == Data.self, let value = value as? Data { return .data(value) }
        let encoder = PropertyListTreeEncoder(path: path())
        try value.encode(to: encoder)
        if let tree = encoder.node.tree { return tree }
        throw encoder.error(value, "it encodes nothing")
    }

    private func error(_ value: Any, _ problem: String) -> EncodingError {
        .invalidValue(value, .init(codingPath: codingPath, debugDescription: problem))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    /// The content of a value that is being encoded. The containers share it.
    fileprivate final class Node {
        var value: PropertyListValue?
        var members: [String: PropertyListValue]?
        var elements: [PropertyListValue]?
        /// The nested containers, which may still change, by their key or index.
        var nestedMembers: [String: Node] = [:]
        var nestedElements: [Int: Node] = [:]

        var tree: PropertyListValue? {
            if var members {
                for (key, node) in nestedMembers { members[key] = node.tree ?? .dictionary([:]) }
                return .dictionary(members)
            }
            if var elements {
                for (index, node) in nestedElements { elements[index] = node.tree ?? .dictionary([:]) }
                return .array(elements)
            }
            return value
        }
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: PropertyListTreeEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        init(encoder: PropertyListTreeEncoder) {
            self.encoder = encoder
            if encoder.node.members == nil { encoder.node.members = Dictionary(minimumCapacity: 8) }
        }

        func encodeNil(forKey key: Key) { encoder.node.members?[key.stringValue] = null }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            let tree = try tree(of: value, at: CodingPath(key, in: encoder.path))
            encoder.node.members?[key.stringValue] = tree
        }

        private func nested(_ key: any CodingKey) -> PropertyListTreeEncoder {
            let nested = PropertyListTreeEncoder(path: CodingPath(key, in: encoder.path))
            encoder.node.nestedMembers[key.stringValue] = nested.node
            return nested
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { nested(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
        func superEncoder() -> any Encoder { nested(CodingPath.Step.superclass) }
        func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: PropertyListTreeEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.node.elements?.count ?? 0 }

        init(encoder: PropertyListTreeEncoder) {
            self.encoder = encoder
            if encoder.node.elements == nil { encoder.node.elements = [] }
        }

        private var path: CodingPath { CodingPath(CodingPath.Step.index(count), in: encoder.path) }

        func encodeNil() { encoder.node.elements?.append(null) }

        func encode<Value: Encodable>(_ value: Value) throws {
            let tree = try tree(of: value, at: path)
            encoder.node.elements?.append(tree)
        }

        private func nested() -> PropertyListTreeEncoder {
            let nested = PropertyListTreeEncoder(path: path)
            encoder.node.nestedElements[count] = nested.node
            encodeNil()
            return nested
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            nested().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
        func superEncoder() -> any Encoder { nested() }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: PropertyListTreeEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil() { encoder.node.value = null }

        func encode<Value: Encodable>(_ value: Value) throws {
            if let value = value as? Float {
                encoder.node.value = .real(Double(value))
            } else if let value = value as? any FixedWidthInteger {
                encoder.node.value = try integer(value)
            } else {
                encoder.node.value = try tree(of: value, at: encoder.path)
            }
        }

        private func integer(_ value: some FixedWidthInteger) throws -> PropertyListValue {
            if let value = Int64(exactly: value) { return .integer(value) }
            if let value = UInt64(exactly: value) { return .unsigned(value) }
            throw encoder.error(value, "it needs more than 64 bits")
        }
    }
}
