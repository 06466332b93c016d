#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONDefaults {
    func encode<Value: Encodable>(_ value: Value, _ identifier: LocalIdentifier) throws(LocalError) -> [UInt8] {
        if let bytes = JSONFragment.bytes(of: value) { return bytes }
        let encoder = JSONEncoder()
        // Equal values give equal bytes, so that they are not written again.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try Array(encoder.encode(value))
        } catch {
            throw .unencodable(identifier: identifier.text, path: path, detail: CodingProblem.text(of: error))
        }
    }

    func decode<Value: Decodable>(
        _ type: Value.Type,
        _ bytes: [UInt8],
        _ identifier: LocalIdentifier
    ) throws(LocalError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw .undecodable(identifier: identifier.text, path: path, detail: CodingProblem.text(of: error))
        }
    }

    /// Decodes all values as one JSON array, which spares most of the cost of starting a decoder for each.
    func decodeAll<Value: Decodable>(
        _ type: Value.Type,
        _ found: [(key: LocalIdentifier, value: [UInt8])]
    ) throws(LocalError) -> [String: Value] {
        var joined: [UInt8] = [UInt8(ascii: "[")]
        joined.reserveCapacity(found.reduce(2) { $0 + $1.value.count + 1 })
        for (index, entry) in found.enumerated() {
            if index > 0 { joined.append(UInt8(ascii: ",")) }
            joined += entry.value
        }
        joined.append(UInt8(ascii: "]"))
        var result: [String: Value] = [:]
        result.reserveCapacity(found.count)
        if let values = try? JSONDecoder().decode([Value].self, from: Data(joined)), values.count == found.count {
            for (entry, value) in zip(found, values) { try result.insert(value, for: entry.key.text) }
            return result
        }
        // One of them is no such value: find out which.
        for entry in found { try result.insert(decode(type, entry.value, entry.key), for: entry.key.text) }
        return result
    }

    /// Reads each value by `read` or, where that returns `nil`, by `JSONDecoder`.
    func readAll<Value: Decodable>(
        _ found: [(key: LocalIdentifier, value: [UInt8])],
        _ read: ([UInt8]) -> Value?
    ) throws(LocalError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(found.count)
        for entry in found {
            if let value = read(entry.value) {
                values.append(value)
            } else {
                values.append(try decode(Value.self, entry.value, entry.key))
            }
        }
        return values
    }
}
