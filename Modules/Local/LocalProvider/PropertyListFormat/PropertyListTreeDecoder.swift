import EssentialFoundation

/// Decodes values from trees that ``PropertyListEncoding`` or another encoder of property lists made.
struct PropertyListTreeDecoder: Decoder {
    fileprivate let tree: PropertyListValue
    fileprivate let path: CodingPath?

    var codingPath: [any CodingKey] { CodingPath.keys(path) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the value of a tree.
    ///
    /// - Throws: `DecodingError`, and the errors of the value's `init(from:)`.
    static func value<Value: Decodable>(
        _ type: Value.Type,
        of tree: PropertyListValue,
        at path: @autoclosure () -> CodingPath? = nil
    ) throws -> Value {
        // A cast of the same type is many times as slow in a generic function, and so is an optional value of its type.
        switch tree {
        case .string(let text) where type == String.self: return unsafeBitCast(text, to: type)
        case .integer(let number) where type == Int.self:
            if let number = Int(exactly: number) { return unsafeBitCast(number, to: type) }
        case .bool(let bool) where type == Bool.self: return unsafeBitCast(bool, to: type)
        case .real(let number) where type == Double.self: return unsafeBitCast(number, to: type)
        case .date(let date) where type == Date.self: return unsafeBitCast(date, to: type)
        case .data(let data) where type == Data.self: return unsafeBitCast(data, to: type)
        default: break
        }
        let decoder = PropertyListTreeDecoder(tree: tree, path: path())
        // The initializers of dates and data read another form.
        if type == String.self || type == Bool.self || type == Date.self || type == Data.self {
            throw decoder.mismatch(type)
        }
        return try Value(from: decoder)
    }

    fileprivate func mismatch(_ type: any Any.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "it is not of type \(type)")
        let isNull = tree == PropertyListEncoding.null
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let members) = tree else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(Keyed(members: members, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = tree else { throw mismatch([Any].self) }
        return Unkeyed(elements: elements, path: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [String: PropertyListValue]
        let path: CodingPath?

        var codingPath: [any CodingKey] { CodingPath.keys(path) }
        var allKeys: [Key] { members.keys.compactMap(Key.init) }

        func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

        private func member(_ key: any CodingKey) throws -> PropertyListValue {
            if let member = members[key.stringValue] { return member }
            let context = DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "\(key.stringValue) is missing"
            )
            throw DecodingError.keyNotFound(key, context)
        }

        private func decoder(_ key: any CodingKey) throws -> PropertyListTreeDecoder {
            PropertyListTreeDecoder(tree: try member(key), path: CodingPath(key, in: path))
        }

        func decodeNil(forKey key: Key) throws -> Bool { try member(key) == PropertyListEncoding.null }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try value(type, of: member(key), at: CodingPath(key, in: path))
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { try decoder(CodingPath.Step.superclass) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let elements: [PropertyListValue]
        let path: CodingPath?
        var currentIndex = 0

        var codingPath: [any CodingKey] { CodingPath.keys(path) }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }
        private var elementPath: CodingPath { CodingPath(CodingPath.Step.index(currentIndex), in: path) }

        private func element(_ type: any Any.Type) throws -> PropertyListValue {
            guard isAtEnd else { return elements[currentIndex] }
            let context = DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "the array has no more elements"
            )
            throw DecodingError.valueNotFound(type, context)
        }

        mutating func decodeNil() throws -> Bool {
            let isNull = try element(Any?.self) == PropertyListEncoding.null
            if isNull { currentIndex += 1 }
            return isNull
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let result = try value(type, of: element(type), at: elementPath)
            currentIndex += 1
            return result
        }

        private mutating func nested() throws -> PropertyListTreeDecoder {
            defer { currentIndex += 1 }
            return PropertyListTreeDecoder(tree: try element(Any.self), path: elementPath)
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { try nested().container(keyedBy: type) }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try nested().unkeyedContainer()
        }
        mutating func superDecoder() throws -> any Decoder { try nested() }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: PropertyListTreeDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.tree == PropertyListEncoding.null }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            // Neither is a number, which a cast would take longer to find.
            let isNumber = type != String.self && type != Bool.self
            if isNumber, let integer = type as? any FixedWidthInteger.Type {
                if let value = try number(integer) as? Value { return value }
            } else if isNumber, let float = type as? any BinaryFloatingPoint.Type {
                if let value = try number(float) as? Value { return value }
            }
            return try value(type, of: decoder.tree, at: decoder.path)
        }

        private func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
            let number: Number? =
                switch decoder.tree {
                case .integer(let value): Number(exactly: value)
                case .unsigned(let value): Number(exactly: value)
                case .real(let value): Number(exactly: value)
                default: throw decoder.mismatch(type)
                }
            return try fitting(number)
        }

        private func number<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
            switch decoder.tree {
            case .integer(let value): return Number(value)
            case .unsigned(let value): return Number(value)
            case .real(let value): return try fitting(Number(value).isInfinite && value.isFinite ? nil : Number(value))
            default: throw decoder.mismatch(type)
            }
        }

        private func fitting<Number>(_ number: Number?) throws -> Number {
            if let number { return number }
            let problem = "the number does not fit into \(Number.self)"
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
        }
    }
}
