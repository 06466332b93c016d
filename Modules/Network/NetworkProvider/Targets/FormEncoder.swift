import EssentialFoundation

/// A value that has no form of names and texts.
struct FormEncodingFailure: Error, Hashable, CustomStringConvertible {
    /// The parameter's name; empty for a whole form.
    let name: String
    let reason: String

    var description: String {
        name.isEmpty ? reason : "the parameter \(name.debugDescription) cannot be encoded: \(reason)"
    }
}

/// Encodes values as the items of a form.
enum FormEncoder {
    /// Returns the properties of a value as items.
    static func items(of value: any Encodable) throws -> [QueryParameters.Item] {
        if let parameters = value as? [String: String] { return QueryParameters(parameters).items }
        guard case .object(let members) = try node(value, []).content else {
            throw FormEncodingFailure(name: "", reason: "\(type(of: value)) has no properties to be sent as a form")
        }
        return members.flatMap { items($0.node, $0.name) }
    }

    /// Returns a value as one item, or as several ones if it has properties.
    static func items(of value: any Encodable, named name: String) throws -> [QueryParameters.Item] {
        switch value {
        case let value as QueryValue: [QueryParameters.Item(name: name, value: value)]
        case let value as String: [QueryParameters.Item(name: name, value: .text(value))]
        default: items(try node(value, []), name)
        }
    }

    /// An encoded value; a class, since containers write to it after they have been returned.
    fileprivate final class Node {
        enum Content {
            case empty
            case text(String)
            case list([Node])
            case object([(name: String, node: Node)])
        }

        var content = Content.empty

        func append(_ name: String, _ node: Node) {
            guard case .object(var members) = content else { return content = .object([(name, node)]) }
            members.append((name, node))
            content = .object(members)
        }

        /// Sorts what a collection has encoded in the order of its hashes, so that equal values produce equal URLs.
        func sort(_ value: any Encodable) {
            switch content {
            case .object(let members) where value is any AnyDictionary:
                content = .object(members.sorted { $0.name < $1.name })
            case .list(let nodes) where value is any AnySet:
                content = .list(nodes.sorted { ($0.text ?? "") < ($1.text ?? "") })
            default: break
            }
        }

        var text: String? { if case .text(let text) = content { text } else { nil } }

        func append(_ node: Node) {
            guard case .list(var nodes) = content else { return content = .list([node]) }
            nodes.append(node)
            content = .list(nodes)
        }
    }

    private static func items(_ node: Node, _ name: String) -> [QueryParameters.Item] {
        switch node.content {
        case .empty: return []
        case .text(let text): return [QueryParameters.Item(name: name, value: .text(text))]
        case .object(let members): return members.flatMap { items($0.node, "\(name)[\($0.name)]") }
        case .list(let nodes):
            let texts = nodes.compactMap(\.text)
            guard texts.count < nodes.count else { return [QueryParameters.Item(name: name, value: .list(texts))] }
            return nodes.enumerated().flatMap { items($0.element, "\(name)[\($0.offset)]") }
        }
    }

    fileprivate static func node(_ value: any Encodable, _ path: [any CodingKey]) throws -> Node {
        let node = Node()
        switch value {
        case let date as Date: node.content = .text(date.ISO8601Format())
        case let data as Data: node.content = .text(data.base64EncodedString())
        case let url as URL: node.content = .text(url.absoluteString)
        case let decimal as Decimal where decimal.isFinite: node.content = .text(decimal.description)
        case is Decimal: try SingleNode(node: node, codingPath: path).encode(Double.nan)
        default:
            try value.encode(to: NodeEncoder(node: node, codingPath: path))
            node.sort(value)
        }
        return node
    }
}

private protocol AnyDictionary {}

extension Dictionary: AnyDictionary {}

private protocol AnySet {}

extension Set: AnySet {}

private struct NodeEncoder: Encoder {
    let node: FormEncoder.Node
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = node.content {} else { node.content = .object([]) }
        return KeyedEncodingContainer(KeyedNodes<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .list = node.content {} else { node.content = .list([]) }
        return UnkeyedNodes(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleNode(node: node, codingPath: codingPath) }
}

private struct KeyedNodes<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: FormEncoder.Node
    let codingPath: [any CodingKey]

    private func child(_ key: any CodingKey) -> NodeEncoder {
        let child = FormEncoder.Node()
        node.append(key.stringValue, child)
        return NodeEncoder(node: child, codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) {}

    func encode(_ value: some Encodable, forKey key: Key) throws {
        node.append(key.stringValue, try FormEncoder.node(value, codingPath + [key]))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
        Nested
    > {
        child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { child(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { NodeEncoder(node: node, codingPath: codingPath) }

    func superEncoder(forKey key: Key) -> any Encoder { child(key) }
}

private struct UnkeyedNodes: UnkeyedEncodingContainer {
    let node: FormEncoder.Node
    let codingPath: [any CodingKey]

    var count: Int { if case .list(let nodes) = node.content { nodes.count } else { 0 } }

    private func child() -> NodeEncoder {
        let child = FormEncoder.Node()
        node.append(child)
        return NodeEncoder(node: child, codingPath: codingPath)
    }

    func encodeNil() {}

    func encode(_ value: some Encodable) throws { node.append(try FormEncoder.node(value, codingPath)) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }

    func superEncoder() -> any Encoder { child() }
}

private struct SingleNode: SingleValueEncodingContainer {
    let node: FormEncoder.Node
    let codingPath: [any CodingKey]

    func encodeNil() {}

    func encode(_ value: some Encodable) throws { node.content = try FormEncoder.node(value, codingPath).content }

    /// Encodes a boolean, a text or a number.
    func encode(_ value: some LosslessStringConvertible & Encodable) { node.content = .text(value.description) }

    // The standard library's own functions for these refuse them.
    func encode(_ value: Int128) { node.content = .text(value.description) }
    func encode(_ value: UInt128) { node.content = .text(value.description) }

    func encode(_ value: some BinaryFloatingPoint & LosslessStringConvertible & Encodable) throws {
        guard value.isFinite else {
            let context = EncodingError.Context(codingPath: codingPath, debugDescription: "the number is not finite")
            throw EncodingError.invalidValue(value, context)
        }
        node.content = .text(value.description)
    }
}
