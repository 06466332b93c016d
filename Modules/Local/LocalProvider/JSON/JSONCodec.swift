import EssentialFoundation
import JSONValues

/// Encodes and decodes the values of a journal.
struct JSONCodec {
    /// The path of the journal, for errors.
    let path: String

    /// Returns the JSON of a value. Equal values have equal bytes, so that an unchanged value is not written again.
    func encode<Value: Encodable>(_ value: Value, _ identifier: LocalIdentifier) throws(LocalError) -> [UInt8] {
        if let bytes = Self.encodeFast(value) { return bytes }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes: [UInt8]
        do { bytes = try Array(encoder.encode(value)) } catch {
            throw .unencodable(identifier: identifier.text, path: path, detail: CodingProblem.text(of: error))
        }
        guard !bytes.withUnsafeBytes(JSONText.hasNaN) else {
            let detail = "a decimal number in it is not a number"
            throw .unencodable(identifier: identifier.text, path: path, detail: detail)
        }
        return bytes
    }

    /// Returns the JSON of a string, an integer or a Boolean value, byte for byte as `JSONEncoder` does; `nil` for other
    /// types. Most of the time of a set, besides the disk, is the initialisation of an encoder.
    static func encodeFast<Value>(_ value: Value) -> [UInt8]? {
        // The types are compared before the cast: a failing cast is slower.
        if Value.self == String.self { return (value as? String).map(JSONText.quoted) }
        if Value.self == Int.self { return (value as? Int).map { Array(String($0).utf8) } }
        if Value.self == Bool.self { return (value as? Bool).map { Array(($0 ? "true" : "false").utf8) } }
        return nil
    }

    /// Decodes a value.
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

    /// Decodes values, all of which must be valid.
    func decodeAll<Value: Decodable>(
        _ type: Value.Type,
        _ found: [JournalEntries.Pair]
    ) throws(LocalError) -> [String: Value] {
        var result: [String: Value] = [:]
        result.reserveCapacity(found.count)
        if let values = decodeTogether(type, found) {
            for (pair, value) in zip(found, values) { try result.insert(value, for: pair.key.text) }
        } else {
            for pair in found { try result.insert(decode(type, pair.value, pair.key), for: pair.key.text) }
        }
        return result
    }

    /// Decodes the valid ones of some values, and returns an error for each of the others.
    func decodeReadable<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ found: [JournalEntries.Pair]
    ) -> LocalValues<Value> {
        var result = LocalValues<Value>()
        let values = decodeTogether(type, found)
        for (index, pair) in found.enumerated() {
            result.add(pair.key.text) { () throws(LocalError) in
                if let values { values[index] } else { try decode(type, pair.value, pair.key) }
            }
        }
        return result
    }

    /// Decodes values as one JSON array, which avoids most of the cost of a decoder for each; `nil` if one is invalid.
    private func decodeTogether<Value: Decodable>(_ type: Value.Type, _ found: [JournalEntries.Pair]) -> [Value]? {
        var joined: [UInt8] = [UInt8(ascii: "[")]
        joined.reserveCapacity(found.reduce(2) { $0 + $1.value.count + 1 })
        for (index, pair) in found.enumerated() {
            if index > 0 { joined.append(UInt8(ascii: ",")) }
            joined += pair.value
        }
        joined.append(UInt8(ascii: "]"))
        guard let values = try? JSONDecoder().decode([Value].self, from: Data(joined)), values.count == found.count
        else { return nil }
        return values
    }

    /// Reads each value with `read` or, if that returns `nil`, with `JSONDecoder`.
    func readAll<Value: Decodable>(
        _ found: [JournalEntries.Pair],
        _ read: ([UInt8]) -> Value?
    ) throws(LocalError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(found.count)
        for pair in found { values.append(try value(pair, read)) }
        return values
    }

    /// Reads as ``readAll(_:_:)``, and returns the errors of the invalid values by identifier.
    func readReadable<Value: Decodable>(
        _ found: [JournalEntries.Pair],
        _ read: ([UInt8]) -> Value?
    ) -> (values: [Value], failures: [String: LocalError]) {
        var values: [Value] = []
        var failures: [String: LocalError] = [:]
        values.reserveCapacity(found.count)
        for pair in found {
            do throws(LocalError) {
                values.append(try value(pair, read))
            } catch {
                failures[pair.key.text] = error
            }
        }
        return (values, failures)
    }

    private func value<Value: Decodable>(
        _ pair: JournalEntries.Pair,
        _ read: ([UInt8]) -> Value?
    ) throws(LocalError) -> Value {
        if let value = read(pair.value) { return value }
        return try decode(Value.self, pair.value, pair.key)
    }
}
